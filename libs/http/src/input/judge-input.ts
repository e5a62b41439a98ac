import type { Type } from '@nestjs/common';
import { validationFailed } from '@libs/domain';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { splitByDeclared } from './declared-members.js';
import { eachPathOnce, type FurtherFaults } from './further-faults.js';
import { requireBoundedJson } from './json-bounds.js';
import { membersOf } from './members.js';
import { setReadOnly, UpdateDto } from './update.dto.js';
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
  const dto = instanceOf(metatype, declared);
  const errors = validateSync(dto, { forbidUnknownValues: true, validationError: { target: false, value: false } });
  // A member that the split left out may also be reported as missing.
  const issues = eachPathOnce([...structural, ...errors.flatMap((error) => toIssues(error))]);
  if (issues.length > 0) throw validationFailed(further?.added(metatype, dto, issues) ?? issues);
  if (dto instanceof UpdateDto) setReadOnly(dto, others);
  return dto;
}

/**
 * Objects without their own class are passed unchanged. class-transformer would copy them in a time that grows with the
 * square of their members.
 */
function instanceOf(metatype: Type<object>, declared: Record<string, unknown>): object {
  const members = membersOf(metatype);
  const isFree = ([name, value]: [string, unknown]): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && !members.get(name)?.nested;
  const free = Object.entries(declared).filter(isFree);
  for (const [name] of free) delete declared[name];
  const dto = plainToInstance(metatype, declared, { exposeUnsetFields: false });
  return Object.assign(dto, Object.fromEntries(free));
}
