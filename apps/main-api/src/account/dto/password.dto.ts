import { Example } from '@libs/http';
import { IsMailedToken, IsNewPassword, IsPassword } from './account-rules.js';

/** A new password, with the current password. */
@Example<ChangePasswordDto>({ password: 'the password until now', new_password: 'correct horse battery' })
export class ChangePasswordDto {
  @IsPassword()
  password: string;

  @IsNewPassword()
  new_password: string;
}

/** A new password, with a mailed token. */
@Example<ResetPasswordDto>({ token: 'the token of the mail', password: 'correct horse battery' })
export class ResetPasswordDto {
  @IsMailedToken()
  token: string;

  @IsNewPassword()
  password: string;
}
