import { Example, IsEmailAddress } from '@libs/http';
import { IsPassword } from './account-rules.js';

/** The credentials of a user. */
@Example<SignInDto>({ email: 'ann@example.com', password: 'correct horse battery' })
export class SignInDto {
  @IsEmailAddress('E-mail address. Upper and lower case are the same.')
  email: string;

  @IsPassword()
  password: string;
}
