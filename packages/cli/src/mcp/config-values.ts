import { SECRET_MASK } from '../generated/secret-patterns.js';
import { usage } from '../exit.js';
import { CUT_MARK, fitted, LONGEST_TEXT } from './results.js';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The values that a model sends back, with the stored values where this server had masked or cut them. Otherwise a value that looks like
 * a secret would be replaced by its mask. Real secrets are masked by the API already, which takes the mask for the stored secret.
 * @throws CommandError for a value that was changed and still has a part of a mask, or the mark of a cut text
 */
export function restored(values: unknown, stored: unknown, shown: unknown = fitted({}, stored)): unknown {
  if (stored !== undefined && isSame(values, shown)) return stored;
  if (isObject(values))
    return Object.fromEntries(
      Object.entries(values).map(([name, one]) => [name, restored(one, memberOf(stored, name), memberOf(shown, name))]),
    );
  if (endsCut(values, shown))
    throw usage(
      `A value ends with "${CUT_MARK}", where "config" has cut the text. So its real end is not known.`,
      'leave the value as "config" shows it, or write the whole value',
    );
  if (JSON.stringify(values ?? null).includes(SECRET_MASK) && values !== SECRET_MASK)
    throw usage(
      'A value has a part of a mask, so its real text is not known.',
      'leave the value as "config" shows it, or write the whole value',
    );
  return values;
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
const isCut = (text: string): boolean => text.length === LONGEST_TEXT + CUT_MARK.length && text.endsWith(CUT_MARK);

/** Whether a text is the beginning of a longer one: as it was shown, or changed at the place of a text that was shown so. */
function endsCut(values: unknown, shown: unknown): boolean {
  const texts = textsIn(values);
  return texts.some(isCut) || (textsIn(shown).some(isCut) && texts.some((text) => text.endsWith(CUT_MARK)));
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
