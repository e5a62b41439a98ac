import type { SeededRandom } from '../random/seeded-random.js';

/** Texts that a database or a parser refuses, or that are expensive to process. */
export const HOSTILE_TEXTS: Record<string, string> = {
  'a NUL': 'a\0b',
  'a lone high surrogate': 'a\ud800',
  'a lone low surrogate': '\udc00a',
  'a reversed pair': '\udc00\ud800',
  'a long text': 'x'.repeat(100_000),
  'a long text of pairs': '\u{1f600}'.repeat(5_000),
};

const HOSTILE_KEYS = ['\0', '\ud800', '__proto__', 'constructor', 'toString', '', 'x'.repeat(1_000)];
const HOSTILE_NUMBERS = [-1, 1.5, 2 ** 53, 2 ** 63, 1e308, -1e308, 1e16, 5e-324];

type Path = (string | number)[];

/** All places in a message, including its root. */
export function pathsIn(value: unknown, path: Path = []): Path[] {
  const children = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return [path, ...children.flatMap((key) => pathsIn((value as Record<string, unknown>)[key], [...path, key]))];
}

/** A copy of a message with another value at one place. */
export function replacedAt(value: unknown, [head, ...rest]: Path, by: unknown): unknown {
  if (head === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[head] = replacedAt(copy[head], rest, by);
  return copy;
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((member, key) => (member as Record<string | number, unknown>)[key], value);
}

/** One hostile value of any kind. */
export function hostileValue(random: SeededRandom): unknown {
  const kinds = [
    () => random.pick(Object.values(HOSTILE_TEXTS)),
    () => random.pick(HOSTILE_NUMBERS),
    () => random.pick([null, true, [], {}, '', '0']),
    () => nested(Math.floor(random.between(2, 3_000))),
    () => Array.from({ length: Math.floor(random.between(1, 20_000)) }, () => 1),
    () => manyMembers(Math.floor(random.between(1, 10_000))),
    () => ({ [random.pick(HOSTILE_KEYS)]: 1 }),
  ];
  return random.pick(kinds)();
}

/** The text of nested arrays, too deep for `JSON.stringify`. */
export const nestedText = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
export const nested = (levels: number): unknown => JSON.parse(nestedText(levels)) as unknown;
export const manyMembers = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`member${index}`, 1]));
