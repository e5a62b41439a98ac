import { IsMailedToken, IsPassword } from './account-rules.js';

/** The verification of an address: the token of the mail, and the password of the sign-up. */
export class VerifyDto {
  @IsMailedToken()
  token: string;

  @IsPassword()
  password: string;
}
