import { METRIC_STEP_SECONDS } from '@libs/domain';
import { IsMoment, wholeNumber } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDivisibleBy, IsInt, IsOptional, Max, Min } from 'class-validator';

const WEEK_SECONDS = 604_800;

/** The window of a series. */
export class MetricSeriesQuery {
  @IsMoment('Start of the window, inclusive. Default: one hour before `to`.')
  from?: Date;

  @IsMoment('End of the window, exclusive. Default: now.')
  to?: Date;

  @ApiProperty({
    type: 'integer',
    minimum: METRIC_STEP_SECONDS.raw,
    maximum: WEEK_SECONDS,
    multipleOf: METRIC_STEP_SECONDS.raw,
    required: false,
    description: 'Seconds between two points. Default: a step that gives a few hundred points.',
  })
  @IsOptional()
  @Transform(wholeNumber)
  @IsInt()
  @Min(METRIC_STEP_SECONDS.raw)
  @Max(WEEK_SECONDS)
  @IsDivisibleBy(METRIC_STEP_SECONDS.raw, { message: 'must be whole minutes' })
  step?: number;
}
