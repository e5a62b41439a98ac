import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';
import { MAX_ID } from '@libs/domain';

// Control characters have no place in a name that is shown, mailed and logged.
// eslint-disable-next-line no-control-regex
const NO_CONTROL = /^[^\u0000-\u001f\u007f]*$/;

/** A name: 1 to 100 characters, none of them a control character. */
export const IsName = (description: string): PropertyDecorator =>
  applyDecorators(
    IsString(),
    Length(1, 100),
    Matches(NO_CONTROL, { message: 'must not contain control characters' }),
    ApiProperty({ type: 'string', minLength: 1, maxLength: 100, description }),
  );

/** A text of at most `maximum` characters. */
export const IsText = (maximum: number, description: string): PropertyDecorator =>
  applyDecorators(IsString(), MaxLength(maximum), ApiProperty({ type: 'string', maxLength: maximum, description }));

/** An id in a body. */
export const IsId = (description: string): PropertyDecorator =>
  applyDecorators(
    IsInt(),
    Min(1),
    Max(MAX_ID),
    ApiProperty({ type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID, description }),
  );

/** May be left out. */
export const Optional = (): PropertyDecorator => applyDecorators(IsOptional(), ApiProperty({ required: false }));

/** An id in an answer: 64-bit, never above 2^53 − 1. */
export const ApiId = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID, description });

/** One of a closed set of words. */
export const IsOneOf = (values: readonly string[], description: string): PropertyDecorator =>
  applyDecorators(IsIn(values), ApiProperty({ type: 'string', enum: [...values], description }));

/** A boolean. */
export const IsFlag = (description: string): PropertyDecorator =>
  applyDecorators(IsBoolean(), ApiProperty({ type: 'boolean', description }));
