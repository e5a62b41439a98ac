import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString, MaxLength } from 'class-validator';

/** The one-time code of a protected resource. */
export class CodeQuery {
  @ApiProperty({
    type: 'string',
    maxLength: 32,
    required: false,
    description: 'Needed when the resource is protected.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(32)
  code?: string;
}
