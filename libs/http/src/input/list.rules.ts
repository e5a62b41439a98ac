import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { MAX_ID, type Format } from '@libs/domain';
import { publishedPattern } from './published-pattern.js';

/** The entries that a list in a body may have. */
export interface ListRule {
  minimum: number;
  maximum: number;
  isEntry: (entry: unknown) => boolean;
  /** The text after `each entry`. */
  entryReason: string;
}

/**
 * A list whose entries have one kind, each once. Checks the size first and compares entries with a set, so the time is
 * linear in the length of the list.
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

/** Ids, each once. The caller adds the description; `IsIdList` has the usual one. */
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

/** Texts of one format, each once, at most `maximum`. */
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
      items: { type: 'string', pattern: publishedPattern(pattern) },
      maxItems: maximum,
      uniqueItems: true,
      description,
    }),
  );

/** An answer must not become much larger than its request, so a refusal does not repeat a long set for each faulty list. */
const MOST_LISTED = 20;
const oneOf = (words: readonly string[]): string =>
  words.length > MOST_LISTED
    ? `one of the ${words.length} values in the API description`
    : `one of ${words.join(', ')}`;

/** Values of a closed set, each once. */
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
