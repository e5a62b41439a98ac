import { Example } from '@libs/http';
import { IsMailedToken, IsPassword } from './account-rules.js';

/** The verification of an address: the token of the mail, and the password of the sign-up. */
@Example<VerifyDto>({ token: 'the token of the mail', password: 'correct horse battery' })
export class VerifyDto {
  @IsMailedToken()
  token: string;

  @IsPassword()
  password: string;
}
