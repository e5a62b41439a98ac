import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { MAX_ID, type Format } from '@libs/domain';

/** What a list in a body may hold. */
export interface ListRule {
  minimum: number;
  maximum: number;
  isEntry: (entry: unknown) => boolean;
  /** Follows `each entry`. */
  entryReason: string;
}

/**
 * A list whose entries are of one kind, each once. The size is judged first, and entries are compared by a set: a long list
 * costs no more than its length.
 */
export const IsListOf = (rule: ListRule): PropertyDecorator =>
  ValidateBy({
    name: 'isListOf',
    validator: {
      validate: (value: unknown) => faultIn(value, rule) === null,
      defaultMessage: (about) => faultIn(about?.value, rule) ?? '',
    },
  });

function faultIn(value: unknown, { minimum, maximum, isEntry, entryReason }: ListRule): string | null {
  if (!Array.isArray(value)) return 'must be an array';
  if (value.length < minimum || value.length > maximum) return `must have ${minimum} to ${maximum} entries`;
  if (!value.every(isEntry)) return `each entry ${entryReason}`;
  return new Set(value).size === value.length ? null : 'must not have an entry twice';
}

const isId = (entry: unknown): boolean => Number.isSafeInteger(entry) && (entry as number) >= 1;

/** Ids, each once. The description is the caller's: `IsIdList` gives the usual one. */
export const IsDistinctIds = (minimum: number, maximum: number): PropertyDecorator =>
  IsListOf({ minimum, maximum, isEntry: isId, entryReason: 'must be an id' });

/** A list of ids in a body, each once. */
export const IsIdList = (minimum: number, maximum: number, description: string): PropertyDecorator =>
  applyDecorators(
    IsDistinctIds(minimum, maximum),
    ApiProperty({
      type: 'array',
      items: { type: 'integer', format: 'int64', minimum: 1, maximum: MAX_ID },
      minItems: minimum,
      maxItems: maximum,
      uniqueItems: true,
      description,
    }),
  );

/** Texts of one spelling, each once, at most `maximum`. */
export const IsSpelledList = ({ pattern, reason }: Format, maximum: number, description: string): PropertyDecorator =>
  applyDecorators(
    IsListOf({
      minimum: 0,
      maximum,
      isEntry: (entry) => typeof entry === 'string' && pattern.test(entry),
      entryReason: reason,
    }),
    ApiProperty({
      type: 'array',
      items: { type: 'string', pattern: pattern.source },
      maxItems: maximum,
      uniqueItems: true,
      description,
    }),
  );

/** An answer must not become much larger than the request: long sets are not repeated for each faulty list. */
const MOST_LISTED = 20;
const oneOf = (words: readonly string[]): string =>
  words.length > MOST_LISTED
    ? `one of the ${words.length} values in the API description`
    : `one of ${words.join(', ')}`;

/** Words of a closed set, each once. */
export const IsWordList = (minimum: number, words: readonly string[], description?: string): PropertyDecorator =>
  applyDecorators(
    IsListOf({
      minimum,
      maximum: words.length,
      isEntry: (entry) => words.includes(entry as string),
      entryReason: `must be ${oneOf(words)}`,
    }),
    ApiProperty({
      type: 'array',
      items: { type: 'string', enum: [...words] },
      minItems: minimum,
      uniqueItems: true,
      ...(description !== undefined && { description }),
    }),
  );
