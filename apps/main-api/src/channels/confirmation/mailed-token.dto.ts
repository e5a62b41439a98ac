import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

/** The token from the mail to an address. */
export class MailedTokenDto {
  @IsString()
  @MaxLength(200)
  @ApiProperty({ type: 'string', maxLength: 200, description: 'From the link of the mail.' })
  token: string;
}
