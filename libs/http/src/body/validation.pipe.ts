import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { validationFailed, type FieldIssue } from '@libs/domain';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { FurtherFaults } from './further-faults.js';
import { setReadOnly, unknownField, UpdateDto } from './update.dto.js';

const UNKNOWN = 'whitelistValidation';
/** Deeper than any body; whatever walks through one by recursion is safe below it. */
const MOST_LEVELS = 32;
/** Names that belong to the language. Instances are made of the objects of a body, and these would choose their class. */
const RESERVED = ['__proto__', 'constructor'];
const PRIMITIVES: unknown[] = [String, Number, Boolean, Array, Object, undefined];

/** Checks bodies and queries by the rules of their class and lists every fault at once. */
@Injectable()
export class ValidationPipe implements PipeTransform {
  constructor(private readonly further: FurtherFaults) {}

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || PRIMITIVES.includes(metatype)) return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw validationFailed([{ path: '', code: 'type', reason: 'must be a JSON object' }]);
    requireStorable(value, '', 0);
    return check(metatype as Type<object>, value, type === 'body' ? this.further : null);
  }
}

function check(metatype: Type<object>, value: object, further: FurtherFaults | null): object {
  const dto = plainToInstance(metatype, value, { exposeUnsetFields: false });
  const errors = validateSync(dto, {
    whitelist: true,
    forbidNonWhitelisted: further !== null,
    forbidUnknownValues: true,
  });
  const readOnly = dto instanceof UpdateDto ? errors.filter((error) => error.constraints?.[UNKNOWN]) : [];
  const issues = errors.filter((error) => !readOnly.includes(error)).flatMap((error) => toIssues(error, ''));
  if (issues.length > 0) throw validationFailed(further?.added(metatype, dto, issues) ?? issues);
  if (dto instanceof UpdateDto) {
    const members = readOnly.map(({ property }) => [property, (value as Record<string, unknown>)[property]]);
    setReadOnly(dto, Object.fromEntries(members) as Record<string, unknown>);
    for (const { property } of readOnly) delete (dto as Record<string, unknown>)[property];
  }
  return dto;
}

function toIssues(error: ValidationError, parent: string): FieldIssue[] {
  const path = `${parent}/${error.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const broken = Object.entries(error.constraints ?? {});
  // What is no text is neither too short nor misspelled: the kind of a value is judged before what it says.
  const [rule, message] = broken.find(([name]) => name.startsWith('is')) ?? broken[0] ?? [];
  const own = rule === undefined ? [] : [toIssue(path, rule, (message ?? '').replace(`${error.property} `, ''))];
  return [...own, ...(error.children ?? []).flatMap((child) => toIssues(child, path))];
}

const toIssue = (path: string, rule: string, reason: string): FieldIssue =>
  rule === UNKNOWN ? unknownField(path) : { path, code: snakeCase(rule), reason };

const snakeCase = (rule: string): string => rule.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** PostgreSQL stores every text but the character NUL: refuse it here rather than fail there. The same for a nesting without end. */
function requireStorable(value: unknown, path: string, level: number): void {
  if (typeof value === 'string' && value.includes('\0'))
    throw validationFailed([{ path, code: 'characters', reason: 'must not contain the character NUL' }]);
  if (typeof value !== 'object' || value === null) return;
  if (level > MOST_LEVELS)
    throw validationFailed([{ path, code: 'depth', reason: `must not be nested deeper than ${MOST_LEVELS} levels` }]);
  for (const [name, member] of Object.entries(value)) {
    if (level > 0 && RESERVED.includes(name)) throw validationFailed([unknownField(`${path}/${name}`)]);
    requireStorable(name, `${path}/?`, level);
    requireStorable(member, `${path}/${name}`, level + 1);
  }
}
