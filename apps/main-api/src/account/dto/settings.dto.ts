import { IsMailedName } from '@libs/http';

/** What a user changes of themselves. */
export class AccountSettingsDto {
  @IsMailedName('The name of the user, as other people see it.')
  name: string;
}
