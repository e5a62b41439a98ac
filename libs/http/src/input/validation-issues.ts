import type { FieldIssue } from '@libs/domain';
import type { ValidationError } from 'class-validator';
import { pointerTo } from './json-pointer.js';

/** Returns the issues of a member and of the members below it, one for each member. */
export function toIssues(error: ValidationError, above: readonly string[] = []): FieldIssue[] {
  const names = [...above, error.property];
  const broken = Object.entries(error.constraints ?? {});
  // A value of another type is neither too short nor malformed, so the rule about the type is reported first.
  const [rule, message] = broken.find(([name]) => name.startsWith('is')) ?? broken[0] ?? [];
  const own =
    rule === undefined
      ? []
      : [{ path: pointerTo(names), code: snakeCase(rule), reason: reasonOf(message ?? '', error.property) }];
  return [...own, ...(error.children ?? []).flatMap((child) => toIssues(child, names))];
}

/** class-validator starts its sentences with the name of the member, which the path already contains. */
function reasonOf(message: string, property: string): string {
  for (const [beginning, instead] of [
    [`each value in ${property} `, 'each value '],
    [`each value in nested property ${property} `, 'each value '],
    [`nested property ${property} `, ''],
    [`${property} `, ''],
  ] as const)
    if (message.startsWith(beginning)) return instead + message.slice(beginning.length);
  return message;
}

const snakeCase = (rule: string): string => rule.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
