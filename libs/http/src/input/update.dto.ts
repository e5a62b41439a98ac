import { isDeepStrictEqual } from 'node:util';
import { isName, tidyName, validationFailed, type FieldIssue } from '@libs/domain';
import { NAME_REASON } from './name.rules.js';
import { pointerTo } from './json-pointer.js';

const READ_ONLY = Symbol('landlord.read_only');
const OLD_NAMES = Symbol('landlord.old_names');

/**
 * Base class of PUT bodies. A member that the record shows but the request may not change is accepted when it equals
 * the stored value. So a client may PUT the document that it GETs (C-1.11). `requireUnchanged` checks these members.
 */
export abstract class UpdateDto {
  [READ_ONLY]?: Record<string, unknown>;
  [OLD_NAMES]?: Record<string, string>;
}

/** Stores the members that the class does not declare. Not enumerable, so that services do not use them by mistake. */
export function setReadOnly(dto: UpdateDto, members: Record<string, unknown>): void {
  Object.defineProperty(dto, READ_ONLY, { value: members, enumerable: false });
}

/** Stores names as they were sent, if an earlier release could have stored them and this one would not. */
export function setOldNames(dto: UpdateDto, names: Record<string, string>): void {
  Object.defineProperty(dto, OLD_NAMES, { value: names, enumerable: false });
}

/**
 * A name that equals the stored one counts as left out, in whatever form an earlier release stored it. `live` are members that change
 * on their own: any value of them is accepted.
 * @throws DomainError validation_failed naming each member that is unknown, or differs from the record
 */
export function requireUnchanged(dto: UpdateDto, view: object, live: readonly string[] = []): void {
  const stored = JSON.parse(JSON.stringify(view)) as Record<string, unknown>;
  const issues = oldNameIssues(dto, stored);
  for (const [name, value] of Object.entries(dto[READ_ONLY] ?? {})) {
    if (!Object.hasOwn(stored, name)) issues.push(unknownField(pointerTo([name])));
    // Ignores the order of members, because clients may reorder JSON objects.
    else if (!live.includes(name) && !isDeepStrictEqual(stored[name], value))
      issues.push({ path: pointerTo([name]), code: 'read_only', reason: 'cannot be changed here' });
  }
  if (issues.length > 0) throw validationFailed(issues);
}

function oldNameIssues(dto: UpdateDto, stored: Record<string, unknown>): FieldIssue[] {
  return Object.entries(dto[OLD_NAMES] ?? {}).flatMap(([name, oldName]) => {
    if (stored[name] === oldName) Reflect.deleteProperty(dto, name);
    else if (!isName(tidyName(oldName))) return [{ path: pointerTo([name]), code: 'is_name', reason: NAME_REASON }];
    return [];
  });
}

/** The fault of a member that the request does not accept, by its JSON pointer. */
export const unknownField = (path: string): FieldIssue => ({
  path,
  code: 'unknown_field',
  reason: 'is not a member of this request',
});
