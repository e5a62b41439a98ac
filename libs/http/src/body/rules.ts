import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { IPV4_NETWORK_REASON, isIpv4Network, MAX_ID, parseInstant, type Format } from '@libs/domain';

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

/** A text that is spelled as a cloud, or whoever else gave it, spells it. */
export const IsSpelled = ({ pattern, reason }: Format, description: string): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isSpelled',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && pattern.test(value),
        defaultMessage: () => reason,
      },
    }),
    ApiProperty({ type: 'string', pattern: pattern.source, description }),
  );

/** An IPv4 network without host bits. */
export const IsIpv4Network = (description: string): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isIpv4Network',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isIpv4Network(value),
        defaultMessage: () => IPV4_NETWORK_REASON,
      },
    }),
    ApiProperty({ type: 'string', description }),
  );

/** Texts of one spelling, each once, at most `maximum`. */
export const IsSpelledList = ({ pattern, reason }: Format, maximum: number, description: string): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(maximum),
    ArrayUnique(),
    Matches(pattern, { each: true, message: `each ${reason}` }),
    ApiProperty({
      type: 'array',
      items: { type: 'string', pattern: pattern.source },
      maxItems: maximum,
      uniqueItems: true,
      description,
    }),
  );

/** An id in a body. */
export const IsId = (description: string): PropertyDecorator =>
  applyDecorators(
    IsInt(),
    Min(1),
    Max(MAX_ID),
    ApiProperty({ type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID, description }),
  );

/** A list of ids in a body, each once. */
export const IsIdList = (minimum: number, maximum: number, description: string): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMinSize(minimum),
    ArrayMaxSize(maximum),
    ArrayUnique(),
    IsInt({ each: true }),
    Min(1, { each: true }),
    Max(MAX_ID, { each: true }),
    ApiProperty({
      type: 'array',
      items: { type: 'integer', format: 'int64' },
      minItems: minimum,
      maxItems: maximum,
      uniqueItems: true,
      description,
    }),
  );

const A_WEEK_SECONDS = 604_800;

/** For how long an old secret stays good beside the new one: up to a week; may be left out. */
export const IsOverlap = (byDefault: number, description: string): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    IsInt(),
    Min(0),
    Max(A_WEEK_SECONDS),
    ApiProperty({
      type: 'integer',
      minimum: 0,
      maximum: A_WEEK_SECONDS,
      default: byDefault,
      required: false,
      description,
    }),
  );

/** May be left out. */
export const Optional = (): PropertyDecorator => applyDecorators(IsOptional(), ApiProperty({ required: false }));

/** May be left out, but is not null: for members that have no way to be cleared. */
export const Omittable = (): PropertyDecorator =>
  applyDecorators(
    ValidateIf((_, value) => value !== undefined),
    ApiProperty({ required: false }),
  );

/** May be left out; null clears it, or says that there is none. */
export const Clearable = (): PropertyDecorator =>
  applyDecorators(IsOptional(), ApiProperty({ required: false, nullable: true }));

/** An id in an answer: 64-bit, never above 2^53 − 1. */
export const ApiId = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID, description });

/** One of a closed set of words. */
export const IsOneOf = (values: readonly string[], description: string): PropertyDecorator =>
  applyDecorators(IsIn(values), ApiProperty({ type: 'string', enum: [...values], description }));

/** A boolean. */
export const IsFlag = (description: string): PropertyDecorator =>
  applyDecorators(IsBoolean(), ApiProperty({ type: 'boolean', description }));

/** An instant in ISO 8601, as `parseInstant` reads it. */
export const IsInstant = (description: string): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isInstant',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && parseInstant(value) !== null,
        defaultMessage: () => 'must be an instant in ISO 8601, such as 2030-01-31T12:00:00Z',
      },
    }),
    ApiProperty({ type: 'string', format: 'date-time', description }),
  );
