import { pointerTo } from './pointer.js';

/** One key that a caller wrote, and its path. */
export interface WrittenValue {
  /** The whole key with its section: `http.cors.enabled`. */
  key: string;
  value: unknown;
  /** JSON pointer into the written values. */
  pointer: string;
}

/** Maximum depth of keys. No broker has deeper keys, so deeper nesting is not followed. */
const MOST_LEVELS = 4;

/**
 * Splits values by section into single keys. Levels may be nested or dotted: `{http: {cors: {enabled}}}`, `{http:
 * {"cors.enabled"}}` and `{"http.cors.enabled"}` are equal. An empty level is returned as a key, because it may be misspelled.
 */
export function writtenValues(values: Record<string, unknown>, path: readonly string[] = []): WrittenValue[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const inner = [...path, name];
    if (isLevel(value) && inner.length < MOST_LEVELS && Object.keys(value).length > 0)
      return writtenValues(value, inner);
    return [{ key: inner.join('.'), value, pointer: pointerTo(inner) }];
  });
}

/** The single keys of valid values. Empty levels are omitted. */
export function flatValues(written: readonly WrittenValue[]): Record<string, unknown> {
  return Object.fromEntries(written.filter(({ value }) => !isLevel(value)).map(({ key, value }) => [key, value]));
}

/** Groups single keys by section, in the form that callers read and write. */
export function valuesBySection(flat: Record<string, unknown>): Record<string, Record<string, unknown>> {
  const sections = new Map<string, Record<string, unknown>>();
  for (const [key, value] of Object.entries(flat)) {
    const dot = key.indexOf('.');
    const section = dot < 0 ? key : key.slice(0, dot);
    sections.set(section, { ...sections.get(section), [key.slice(dot + 1)]: value });
  }
  return Object.fromEntries(sections);
}

/** Whether a value is a level that contains keys, and not a value itself. */
export function isLevel(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
