import { IsMailedName } from '@libs/http';

/** What a user changes of themselves. */
export class AccountSettingsDto {
  @IsMailedName('Your name, as others see it.')
  name: string;
}
