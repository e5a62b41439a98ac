import { IsMailedToken, IsNewPassword, IsPassword } from './account-rules.js';

/** A new password, with the current password. */
export class ChangePasswordDto {
  @IsPassword()
  password: string;

  @IsNewPassword()
  new_password: string;
}

/** A new password, with a mailed token. */
export class ResetPasswordDto {
  @IsMailedToken()
  token: string;

  @IsNewPassword()
  password: string;
}
