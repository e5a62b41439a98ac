import { IsEmailAddress } from '@libs/http';

/** The recipient of a mail. */
export class EmailDto {
  @IsEmailAddress('E-mail address. Upper and lower case are the same.')
  email: string;
}
