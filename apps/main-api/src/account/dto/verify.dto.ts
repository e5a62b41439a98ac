import { IsMailedToken, IsPassword } from './account-rules.js';

/** Verifies that the user who signed up reads the mail: the token of the mail, and the password of the sign-up. */
export class VerifyDto {
  @IsMailedToken()
  token: string;

  @IsPassword()
  password: string;
}
