import { IsEmailAddress, IsMailedName, Optional } from '@libs/http';
import { IsNewPassword } from './account-rules.js';

/** Somebody new. */
export class SignUpDto {
  @IsEmailAddress('Mails go there; it counts in any case of letters.')
  email: string;

  @IsNewPassword()
  password: string;

  @IsMailedName('Your name, as others see it.')
  name: string;

  @Optional()
  @IsMailedName('The name of your organization; "<name>\'s organization" unless told.')
  tenant_name?: string;
}
