import { ApiProperty, OmitType } from '@nestjs/swagger';
import { LOG_LEVELS, LOG_RUNTIMES, type LogLevel, type LogRuntime } from '@libs/domain';
import { IsMoment, IsOneOf, IsQueryId, IsText, IsWholeNumber, Optional, ListQuery } from '@libs/http';
import { MinLength } from 'class-validator';

/** Filters of log lines. All filters apply together. */
export class LogsQuery extends ListQuery {
  @Optional()
  @IsWholeNumber(1, 100, 'Items on a page.')
  @ApiProperty({ default: 100 })
  override results: number = 100;

  @Optional()
  @IsOneOf(LOG_RUNTIMES, 'Only what this runtime has printed.')
  runtime?: LogRuntime;

  @Optional()
  @IsQueryId('Only of this node.')
  node?: number;

  @Optional()
  @IsOneOf(LOG_LEVELS, 'Only of this level.')
  level?: LogLevel;

  @Optional()
  @IsText(200, 'Only lines that contain this text. Upper and lower case are the same. The window is at most two days.')
  @MinLength(1)
  @ApiProperty({ minLength: 1 })
  message?: string;

  @IsMoment('Start of the window, inclusive. Default: one day before `to`.')
  from?: Date;

  @IsMoment('End of the window, exclusive. Default: now.')
  to?: Date;
}

/** Filters of a log stream. */
export class LogStreamQuery extends OmitType(LogsQuery, ['page', 'results', 'cursor', 'from', 'to']) {}
