import { Example } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

/** The token from the mail to an address. */
@Example<MailedTokenDto>({ token: 'the token of the mail' })
export class MailedTokenDto {
  @IsString()
  @MaxLength(200)
  @ApiProperty({ type: 'string', maxLength: 200, description: 'From the link of the mail.' })
  token: string;
}
