import { METRIC_STEP_SECONDS } from '@libs/domain';
import { IsMoment, IsWholeNumber, Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsDivisibleBy } from 'class-validator';

const MINUTE = METRIC_STEP_SECONDS.raw;
const WEEK_SECONDS = 604_800;

/** The window of a series. */
export class MetricSeriesQuery {
  @IsMoment('Start of the window, inclusive. Default: one hour before `to`.')
  from?: Date;

  @IsMoment('End of the window, exclusive. Default: now.')
  to?: Date;

  @Optional()
  @IsWholeNumber(MINUTE, WEEK_SECONDS, 'Seconds between two points. Default: a step that gives a few hundred points.')
  @ApiProperty({ multipleOf: MINUTE })
  @IsDivisibleBy(MINUTE, { message: 'must be whole minutes' })
  step?: number;
}
