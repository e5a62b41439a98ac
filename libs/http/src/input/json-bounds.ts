import { isStorableText, validationFailed } from '@libs/domain';
import { pointerTo } from './json-pointer.js';

/** Limits of a JSON document of a client, for every route. */
export const JSON_BOUNDS = { levels: 32, members: 1000, entries: 1000 } as const;

const TOO_DEEP = { code: 'depth', reason: `must not be nested deeper than ${JSON_BOUNDS.levels} levels` };

const [QUOTE, BACKSLASH, OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, CLOSE_BRACKET] = Buffer.from('"\\{[}]');

/**
 * Refuses JSON text with too deep nesting before parsing: the parser is much slower for levels than for text.
 * @throws DomainError validation_failed
 */
export function requireShallowJson(text: Buffer): void {
  let level = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index];
    if (isInText && byte === BACKSLASH) index += 1;
    else if (byte === QUOTE) isInText = !isInText;
    else if (isInText) continue;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) level += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) level -= 1;
    // The root is a level of the text, but not of the document.
    if (level > JSON_BOUNDS.levels + 1) throw validationFailed([{ path: '', ...TOO_DEEP }]);
  }
}

interface Fault {
  /** Names and indexes from the root to the value, in reverse order. */
  path: string[];
  code: string;
  reason: string;
}

const fault = (code: string, reason: string): Fault => ({ path: [], code, reason });

/**
 * Refuses a document that the database cannot store, or that later steps would process too slowly. Visits each value
 * once and stops at the first fault, so the time is linear in the size of the document.
 * @throws DomainError validation_failed
 */
export function requireBoundedJson(value: unknown): void {
  const violation = faultIn(value, 0);
  if (!violation) return;
  const { path, code, reason } = violation;
  throw validationFailed([{ path: pointerTo(path.reverse()), code, reason }]);
}

function faultIn(value: unknown, level: number): Fault | null {
  if (typeof value === 'string') return faultInText(value);
  if (typeof value !== 'object' || value === null) return null;
  if (level > JSON_BOUNDS.levels) return fault(TOO_DEEP.code, TOO_DEEP.reason);
  return Array.isArray(value) ? faultInEntries(value, level) : faultInMembers(value, level);
}

const faultInText = (text: string): Fault | null =>
  isStorableText(text) ? null : fault('characters', 'must be well-formed Unicode without the character NUL');

function faultInEntries(entries: readonly unknown[], level: number): Fault | null {
  if (entries.length > JSON_BOUNDS.entries)
    return fault('entries', `must not have more than ${JSON_BOUNDS.entries} entries`);
  for (const [index, entry] of entries.entries()) {
    const violation = faultIn(entry, level + 1);
    if (violation) return below(violation, String(index));
  }
  return null;
}

function faultInMembers(value: object, level: number): Fault | null {
  const names = Object.keys(value);
  if (names.length > JSON_BOUNDS.members)
    return fault('members', `must not have more than ${JSON_BOUNDS.members} members`);
  for (const name of names) {
    // The fault does not contain the name: the name cannot be encoded.
    if (!isStorableText(name)) return fault('characters', 'must not have member names with such characters');
    const violation = faultIn((value as Record<string, unknown>)[name], level + 1);
    if (violation) return below(violation, name);
  }
  return null;
}

function below(violation: Fault, name: string): Fault {
  violation.path.push(name);
  return violation;
}
