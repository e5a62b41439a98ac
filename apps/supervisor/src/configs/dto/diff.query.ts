import { wholeNumber } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Min } from 'class-validator';

/** The version for a comparison. */
export class DiffQuery {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    required: false,
    description: 'Another version of the same configuration. Default: the active version.',
  })
  @IsOptional()
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  against?: number;
}
