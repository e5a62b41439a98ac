import { IsEmailAddress } from '@libs/http';

/** For whom a mail is asked. */
export class EmailDto {
  @IsEmailAddress('E-mail address. Upper and lower case are the same.')
  email: string;
}
