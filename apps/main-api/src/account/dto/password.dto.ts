import { IsMailedToken, IsNewPassword, IsPassword } from './account-rules.js';

/** Another password, by the one there is. */
export class ChangePasswordDto {
  @IsPassword()
  password: string;

  @IsNewPassword()
  new_password: string;
}

/** Another password, by a mailed link. */
export class ResetPasswordDto {
  @IsMailedToken()
  token: string;

  @IsNewPassword()
  password: string;
}
