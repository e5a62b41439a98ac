import { MAX_ID } from '@libs/domain';
import { PageQuery, wholeNumber } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

export class ListSnapshotsQuery extends PageQuery {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: MAX_ID,
    required: false,
    description: 'Only those that cover this node.',
  })
  @IsOptional()
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  @Max(MAX_ID)
  node?: number;
}
