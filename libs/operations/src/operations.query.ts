import { MAX_ID, OPERATION_STATUSES, OPERATIONS } from '@libs/domain';
import { PageQuery, wholeNumber } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

const TYPES = Object.keys(OPERATIONS);

/** Filters of the list of operations. */
export class OperationsQuery extends PageQuery {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: MAX_ID,
    required: false,
    description: 'Only of this deployment.',
  })
  @IsOptional()
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  @Max(MAX_ID)
  deployment?: number;

  @ApiProperty({ enum: TYPES, required: false, description: 'Only of this type.' })
  @IsOptional()
  @IsIn(TYPES)
  type?: string;

  @ApiProperty({ enum: [...OPERATION_STATUSES], required: false, description: 'Only with this status.' })
  @IsOptional()
  @IsIn([...OPERATION_STATUSES])
  status?: string;
}

/** How long to wait for the end. */
export class WaitQuery {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 60,
    default: 0,
    required: false,
    description: 'Seconds to wait for the end.',
  })
  @Transform(wholeNumber)
  @IsInt()
  @Min(0)
  @Max(60)
  wait: number = 0;
}
