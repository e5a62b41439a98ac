import { IsMailedToken, IsPassword } from './account-rules.js';

/** The proof that whoever signed up reads the mail: the token of the mail, and the password of the sign-up. */
export class VerifyDto {
  @IsMailedToken()
  token: string;

  @IsPassword()
  password: string;
}
