import { IsEmailAddress } from '@libs/http';
import { IsPassword } from './account-rules.js';

/** Who comes back. */
export class SignInDto {
  @IsEmailAddress('In any case of letters.')
  email: string;

  @IsPassword()
  password: string;
}
