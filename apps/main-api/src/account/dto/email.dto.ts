import { IsEmailAddress } from '@libs/http';

/** For whom a mail is asked. */
export class EmailDto {
  @IsEmailAddress('In any case of letters.')
  email: string;
}
