import { Example, IsMailedName } from '@libs/http';

/** The settings that a user changes. */
@Example<AccountSettingsDto>({ name: 'Ann Miller' })
export class AccountSettingsDto {
  @IsMailedName('The name of the user, as other people see it.')
  name: string;
}
