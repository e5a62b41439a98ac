import { IsMailedToken } from './account-rules.js';

/** The proof that a mail was read. */
export class TokenDto {
  @IsMailedToken()
  token: string;
}
