import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { MAX_ID } from '@libs/domain';

/**
 * Accepts only plain digits as a number, up to 2^53 − 1. Other texts are unchanged, and the rule of the member refuses
 * them.
 */
const wholeNumber = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' && /^-?\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value))
    ? Number(value)
    : value;

/** A whole number in a query, from `minimum` to `maximum`. */
export const IsWholeNumber = (minimum: number, maximum: number, description: string): PropertyDecorator =>
  applyDecorators(
    Transform(wholeNumber),
    IsInt(),
    Min(minimum),
    Max(maximum),
    ApiProperty({ type: 'integer', minimum, maximum, description }),
  );

/** An id in a query. */
export const IsQueryId = (description: string, minimum = 1): PropertyDecorator =>
  applyDecorators(IsWholeNumber(minimum, MAX_ID, description), ApiProperty({ format: 'int64' }));

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

/** `true` or `false` in a query. */
export const IsQueryFlag = (description: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => FLAGS.get(value) ?? value),
    IsBoolean(),
    ApiProperty({ type: 'boolean', description }),
  );
