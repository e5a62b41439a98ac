import { IsName } from '@libs/http';

/** What a user changes of themselves. */
export class AccountSettingsDto {
  @IsName('Your name, as others see it.')
  name: string;
}
