import type { Type } from '@nestjs/common';
import { isName, NAME_LENGTH, repairedName, tidyName, validationFailed } from '@libs/domain';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { splitByDeclared } from './declared-members.js';
import { eachPathOnce, type FurtherFaults } from './further-faults.js';
import { requireBoundedJson } from './json-bounds.js';
import { membersOf, type Member, type NestedObjects } from './members.js';
import { setOldNames, setReadOnly, UpdateDto } from './update.dto.js';
import { toIssues } from './validation-issues.js';

/**
 * Creates an instance of its class from a body or a query, or refuses it with all its faults. Every step is linear in
 * the size of the document and protects the next step: limits, declared members, class-transformer, the rules of the
 * class.
 * @throws DomainError validation_failed
 */
export function validateInput(metatype: Type<object>, document: unknown, further: FurtherFaults | null): object {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw validationFailed([{ path: '', code: 'type', reason: 'must be a JSON object' }]);
  requireBoundedJson(document);
  const { declared, others, issues: structural } = splitByDeclared(metatype, document);
  const oldNames = metatype.prototype instanceof UpdateDto ? takeOldNames(metatype, declared) : {};
  const dto = instanceOf(metatype, declared);
  const errors = validateSync(dto, { forbidUnknownValues: true, validationError: { target: false, value: false } });
  // A member that the split left out may also be reported as missing.
  const issues = eachPathOnce([...structural, ...errors.flatMap((error) => toIssues(error))]);
  if (issues.length > 0) throw validationFailed(further?.added(metatype, dto, issues) ?? issues);
  if (dto instanceof UpdateDto) {
    setReadOnly(dto, others);
    setOldNames(dto, oldNames);
  }
  return dto;
}

/**
 * Returns the names in a form that only an earlier release stored. Removes those that are no name today, because only the service
 * knows whether the record has them: `requireUnchanged` judges them.
 */
function takeOldNames(metatype: Type<object>, declared: Record<string, unknown>): Record<string, string> {
  const old: Record<string, string> = {};
  for (const [name, member] of membersOf(metatype)) {
    const value = declared[name];
    if (!member.isName || typeof value !== 'string' || value.length > NAME_LENGTH) continue;
    if (value === tidyName(value) && isName(value)) continue;
    if (!isName(repairedName(value))) continue;
    old[name] = value;
    if (!isName(tidyName(value))) delete declared[name];
  }
  return old;
}

/**
 * Objects without their own class are passed unchanged, at every level. class-transformer would copy them in a time that grows with
 * the square of their members, and would take an own member `constructor` for their class.
 */
function instanceOf(metatype: Type<object>, declared: Record<string, unknown>): object {
  const members = membersOf(metatype);
  const apart: Record<string, unknown> = {};
  for (const [name, raw] of Object.entries(declared)) {
    const { nested, read } = members.get(name) as Member;
    const value = read(raw);
    declared[name] = value;
    if (!hasObjects(value)) continue;
    apart[name] = nested ? instancesOf(nested, value) : value;
    delete declared[name];
  }
  return Object.assign(plainToInstance(metatype, declared, { exposeUnsetFields: false }), apart);
}

/** The split has made sure that `value` has the objects of `nested`. */
const instancesOf = ({ type }: NestedObjects, value: object): object =>
  Array.isArray(value)
    ? value.map((entry) => instanceOf(type, entry as Record<string, unknown>))
    : instanceOf(type, value as Record<string, unknown>);

/** Whether the value is an object or a list of objects, also in part. */
const hasObjects = (value: unknown): value is object =>
  Array.isArray(value)
    ? value.some((entry) => typeof entry === 'object' && entry !== null)
    : typeof value === 'object' && value !== null;
