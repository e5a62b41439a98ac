import { applyDecorators } from '@nestjs/common';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { LOG_LEVELS, LOG_RUNTIMES, MAX_ID, type LogLevel, type LogRuntime } from '@libs/domain';
import { IsMoment, PageQuery, wholeNumber } from '@libs/http';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

const IsWord = (values: readonly string[], description: string): PropertyDecorator =>
  applyDecorators(IsOptional(), IsIn(values), ApiProperty({ enum: [...values], required: false, description }));

/** Filters of log lines. All filters apply together. */
export class LogsQuery extends PageQuery {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 100,
    required: false,
    description: 'Items on a page.',
  })
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  @Max(100)
  override results: number = 100;

  @IsWord(LOG_RUNTIMES, 'Only what this runtime has printed.')
  runtime?: LogRuntime;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: MAX_ID,
    required: false,
    description: 'Only of this node.',
  })
  @IsOptional()
  @Transform(wholeNumber)
  @IsInt()
  @Min(1)
  @Max(MAX_ID)
  node?: number;

  @IsWord(LOG_LEVELS, 'Only of this level.')
  level?: LogLevel;

  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: 200,
    required: false,
    description:
      'Only lines that contain this text. Upper and lower case are the same. The window is at most two days.',
  })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  message?: string;

  @IsMoment('Start of the window, inclusive. Default: one day before `to`.')
  from?: Date;

  @IsMoment('End of the window, exclusive. Default: now.')
  to?: Date;
}

/** Filters of a log stream. */
export class LogStreamQuery extends OmitType(LogsQuery, ['page', 'results', 'from', 'to']) {}
