import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isEmail, IsBoolean, IsIn, IsInt, IsString, Max, MaxLength, Min, ValidateBy } from 'class-validator';
import { MAX_ID, parseInstant, readPeerNetwork, type Format } from '@libs/domain';
import { Optional } from './presence.js';
import { publishedPattern } from './published-pattern.js';

/** A text of at most `maximum` characters. */
export const IsText = (maximum: number, description: string): PropertyDecorator =>
  applyDecorators(IsString(), MaxLength(maximum), ApiProperty({ type: 'string', maxLength: maximum, description }));

/** A text in the format of a cloud or of another issuer. */
export const IsSpelled = ({ pattern, reason }: Format, description: string): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isSpelled',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && pattern.test(value),
        defaultMessage: () => reason,
      },
    }),
    ApiProperty({ type: 'string', pattern: publishedPattern(pattern), description }),
  );

/** In JavaScript, members with these names are the object itself, its class or its prototype. */
const NOT_MEMBERS: readonly unknown[] = ['__proto__', 'constructor', 'prototype'];

/** In addition to its format: a key that is a name of members of objects, in documents of nodes and in answers. */
export const IsNameOfMember = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNameOfMember',
    validator: {
      validate: (value: unknown) => !NOT_MEMBERS.includes(value),
      defaultMessage: () => `must not be ${NOT_MEMBERS.join(', ')}`,
    },
  });

/** The IPv4 network of a customer at a cloud, in the form of `readPeerNetwork`. */
export const IsPeerNetwork = (cloud: 'aws' | 'gcp', description: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (readPeerNetwork(cloud, value).range ?? value) : value,
    ),
    ValidateBy({
      name: 'isPeerNetwork',
      validator: {
        validate: (value: unknown) => faultOfPeerNetwork(cloud, value) === null,
        defaultMessage: (args) => faultOfPeerNetwork(cloud, args?.value) ?? '',
      },
    }),
    ApiProperty({ type: 'string', description }),
  );

const faultOfPeerNetwork = (cloud: 'aws' | 'gcp', value: unknown): string | null =>
  readPeerNetwork(cloud, typeof value === 'string' ? value : '').fault ?? null;

/** An id in a body. */
export const IsId = (description: string): PropertyDecorator =>
  applyDecorators(
    IsInt(),
    Min(1),
    Max(MAX_ID),
    ApiProperty({ type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID, description }),
  );

const A_WEEK_SECONDS = 604_800;

/** Seconds in which an old secret stays valid next to the new one: at most a week. May be left out. */
export const IsOverlap = (byDefault: number, description: string, most = A_WEEK_SECONDS): PropertyDecorator =>
  applyDecorators(
    Optional(),
    IsInt(),
    Min(0),
    Max(most),
    ApiProperty({
      type: 'integer',
      minimum: 0,
      maximum: most,
      default: byDefault,
      required: false,
      description,
    }),
  );

const MAX_USD = 999_999_999;
const toCents = (usd: number): number => Math.round(usd * 100) / 100;
/** Floating-point results such as 35 × 0.01 can differ from whole cents in the last bit. */
const isWholeCents = (usd: number): boolean => Math.abs(usd - toCents(usd)) <= Number.EPSILON * usd;

/** An amount in USD with at most two decimals. */
export const IsUsd = (description: string): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'number' && isWholeCents(value) ? toCents(value) : value,
    ),
    ValidateBy({
      name: 'isUsd',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'number' && value >= 0 && value <= MAX_USD && value === toCents(value),
        defaultMessage: () => `must be a number from 0 to ${MAX_USD} with at most two decimals`,
      },
    }),
    ApiProperty({ type: 'number', minimum: 0, maximum: MAX_USD, multipleOf: 0.01, description }),
  );

/** An id in an answer: 64-bit, at most 2^53 − 1. */
export const ApiId = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID, description });

/** A time in an answer, in ISO 8601. */
export const ApiTime = (description?: string): PropertyDecorator =>
  ApiProperty({ type: 'string', format: 'date-time', ...(description && { description }) });

/** A time in an answer, or null. The description says what null means. */
export const ApiNullableTime = (description?: string): PropertyDecorator =>
  ApiProperty({ type: 'string', format: 'date-time', nullable: true, ...(description && { description }) });

/** A text in an answer, or null. The description says what null means. */
export const ApiNullableText = (description?: string): PropertyDecorator =>
  ApiProperty({ type: 'string', nullable: true, ...(description && { description }) });

/** A whole number in an answer, or null. The description says what null means. */
export const ApiNullableInteger = (description?: string): PropertyDecorator =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, ...(description && { description }) });

/** One of a closed set of values. */
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

const EMAIL_LENGTH = 254;

/** An e-mail address. With `orEmpty`, an empty text is published as valid: `ClearableText` reads it as null. */
export const IsEmailAddress = (description: string, { orEmpty = false } = {}): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'isEmail',
      validator: {
        // Checks the length first, so that the parts of a long text are not examined.
        validate: (value: unknown) => typeof value === 'string' && value.length <= EMAIL_LENGTH && isEmail(value),
        defaultMessage: () => `must be an e-mail address of at most ${EMAIL_LENGTH} characters`,
      },
    }),
    ApiProperty({ type: 'string', maxLength: EMAIL_LENGTH, ...(!orEmpty && { format: 'email' }), description }),
  );
