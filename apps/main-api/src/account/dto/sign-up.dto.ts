import { Example, IsEmailAddress, IsMailedName, Optional } from '@libs/http';
import { IsNewPassword } from './account-rules.js';

/** The data of a new user. */
@Example<SignUpDto>({
  email: 'ann@example.com',
  password: 'correct horse battery',
  name: 'Ann Miller',
  tenant_name: 'Harbour Logistics',
})
export class SignUpDto {
  @IsEmailAddress('The e-mail address of the user. Upper and lower case are the same.')
  email: string;

  @IsNewPassword()
  password: string;

  @IsMailedName('The name of the user, as other people see it.')
  name: string;

  @Optional()
  @IsMailedName(`Name of the organization. Default: "<name>'s organization".`)
  tenant_name?: string;
}
