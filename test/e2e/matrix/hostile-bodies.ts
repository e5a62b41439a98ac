import type { BodyMember } from './bodies.js';

/** The JSON text of a value of about this many bytes. */
type Filling = (bytes: number) => string;

const object = (count: number, value: (index: number) => unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, value(index)]));
const list = (count: number, value: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, index) => value(index));

const text = (value: unknown): string => JSON.stringify(value);

/** Values for the members of a body, one kind at a time: above the limits, and just below them. */
const FILLINGS: Record<string, Filling> = {
  'members without end': (bytes) => text(object(Math.ceil(bytes / 10), (index) => index)),
  'entries without end': (bytes) => text(list(Math.ceil(bytes / 6), (index) => 10_000 + index)),
  'the same entry without end': (bytes) => text(list(Math.ceil(bytes / 2), () => 1)),
  'a long text': (bytes) => text('a'.repeat(bytes)),
  'a long text of dots and at-signs': (bytes) => text('a.@'.repeat(bytes / 3)),
  'levels without end': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'as many members as are allowed': (bytes) => text(object(Math.min(999, Math.ceil(bytes / 10)), (index) => index)),
  'as many entries as are allowed': (bytes) => text(list(Math.min(999, Math.ceil(bytes / 8)), (index) => `e${index}`)),
  'objects as entries': (bytes) => text(list(Math.min(999, Math.ceil(bytes / 12)), (index) => ({ [`m${index}`]: 1 }))),
  'objects in objects': (bytes) =>
    text(
      object(Math.min(999, Math.ceil(bytes / 8_000)), () =>
        object(Math.min(700, Math.ceil(bytes / 12)), (index) => index),
      ),
    ),
};

/** The most expensive bodies for the server, of about this many bytes, by kind. */
export function hostileBodies(members: readonly BodyMember[], bytes: number): [kind: string, body: string][] {
  const names = members.filter(({ path }) => path.length === 1).map(({ path }) => path[0] as string);
  const filled = Object.entries(FILLINGS).map(([kind, fill]): [string, string] => [
    `${kind} in each member`,
    `{${names.map((name) => `"${name}":${fill(bytes / names.length)}`).join(',')}}`,
  ]);
  const unknown = JSON.stringify(object(Math.ceil(bytes / 10), () => 1));
  return [['unknown members without end', unknown], ...(names.length > 0 ? filled : [])];
}
