import { METRIC_STEP_SECONDS } from '@libs/domain';
import { IsMoment, wholeNumber } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDivisibleBy, IsInt, IsOptional, Max, Min } from 'class-validator';

const WEEK_SECONDS = 604_800;

/** Which part of a series. */
export class MetricSeriesQuery {
  @IsMoment('Not older than this moment; an hour before `to` unless told.')
  from?: Date;

  @IsMoment('Older than this moment; now unless told.')
  to?: Date;

  @ApiProperty({
    type: 'integer',
    minimum: METRIC_STEP_SECONDS.raw,
    maximum: WEEK_SECONDS,
    multipleOf: METRIC_STEP_SECONDS.raw,
    required: false,
    description: 'Seconds from one point to the next; chosen for a few hundred points unless told.',
  })
  @IsOptional()
  @Transform(wholeNumber)
  @IsInt()
  @Min(METRIC_STEP_SECONDS.raw)
  @Max(WEEK_SECONDS)
  @IsDivisibleBy(METRIC_STEP_SECONDS.raw, { message: 'must be whole minutes' })
  step?: number;
}
