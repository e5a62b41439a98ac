import { pointerTo } from './pointer.js';

/** One key that a caller wrote, and where. */
export interface WrittenValue {
  /** The whole key, section included: `http.cors.enabled`. */
  key: string;
  value: unknown;
  /** JSON pointer into the values as they were written. */
  pointer: string;
}

/** Sections are at most so deep; whatever is deeper is no key of any broker, however deep somebody nests it. */
const MOST_LEVELS = 4;

/**
 * Values by section, as single keys. Levels may be nested or dotted: `{http: {cors: {enabled}}}`, `{http: {"cors.enabled"}}`
 * and `{"http.cors.enabled"}` are the same. An empty level is told as a key of its own, because it may be misspelled.
 */
export function writtenValues(values: Record<string, unknown>, path: readonly string[] = []): WrittenValue[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const inner = [...path, name];
    if (isLevel(value) && inner.length < MOST_LEVELS && Object.keys(value).length > 0)
      return writtenValues(value, inner);
    return [{ key: inner.join('.'), value, pointer: pointerTo(inner) }];
  });
}

/** The single keys of values that were found to be good; empty levels say nothing. */
export function flatValues(written: readonly WrittenValue[]): Record<string, unknown> {
  return Object.fromEntries(written.filter(({ value }) => !isLevel(value)).map(({ key, value }) => [key, value]));
}

/** Single keys, by section: what a caller reads and writes. */
export function valuesBySection(flat: Record<string, unknown>): Record<string, Record<string, unknown>> {
  const sections = new Map<string, Record<string, unknown>>();
  for (const [key, value] of Object.entries(flat)) {
    const dot = key.indexOf('.');
    const section = dot < 0 ? key : key.slice(0, dot);
    sections.set(section, { ...sections.get(section), [key.slice(dot + 1)]: value });
  }
  return Object.fromEntries(sections);
}

/** Whether a value is a level that keys stand in, and no value itself. */
export function isLevel(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
