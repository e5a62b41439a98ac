import { MAX_ID } from '../ids.js';
import { isStorableText } from '../storable-text.js';

/** What lists may be sorted by. A `-` before it means the opposite direction. */
export type SortKey = 'name' | 'created_at';
export type Sort = SortKey | `-${SortKey}`;

/**
 * The place of a record in the order of its list: the value that the list is sorted by, and the id. A name is a text, a moment is
 * microseconds since 1970, and a list in the order of its ids has no value.
 */
export interface ListPosition {
  value: string | number | null;
  id: number;
}

/** The position as the text of a cursor. */
export const cursorOf = ({ value, id }: ListPosition): string =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url');

/** Reads a cursor. Returns null for a text that `cursorOf` did not write. */
export function readCursor(cursor: string): ListPosition | null {
  try {
    const [value, id, ...more] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    return isValue(value) && isWhole(id) && id > 0 && more.length === 0 ? { value, id } : null;
  } catch {
    return null;
  }
}

const isWhole = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) <= MAX_ID;
const isValue = (value: unknown): value is ListPosition['value'] =>
  value === null || isWhole(value) || (typeof value === 'string' && isStorableText(value));
