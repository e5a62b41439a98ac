import { Example, IsEmailAddress } from '@libs/http';

/** The recipient of a mail. */
@Example<EmailDto>({ email: 'ann@example.com' })
export class EmailDto {
  @IsEmailAddress('E-mail address. Upper and lower case are the same.')
  email: string;
}
