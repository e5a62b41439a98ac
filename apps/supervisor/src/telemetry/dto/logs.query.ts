import { applyDecorators } from '@nestjs/common';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { LOG_LEVELS, LOG_RUNTIMES, MAX_ID, type LogLevel, type LogRuntime } from '@libs/domain';
import { IsMoment, PageQuery, wholeNumber } from '@libs/http';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

const IsWord = (values: readonly string[], description: string): PropertyDecorator =>
  applyDecorators(IsOptional(), IsIn(values), ApiProperty({ enum: [...values], required: false, description }));

/** Which lines; all filters hold together. */
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
    description: 'Only lines with this text, letter by letter, upper and lower case alike; within two days at most.',
  })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  message?: string;

  @IsMoment('Not older than this moment; a day before `to` unless told.')
  from?: Date;

  @IsMoment('Older than this moment; now unless told.')
  to?: Date;
}

/** Which lines a stream tells. */
export class LogStreamQuery extends OmitType(LogsQuery, ['page', 'results', 'from', 'to']) {}
