import type { Type } from '@nestjs/common';
import { MOST_FIELD_ISSUES, type FieldIssue } from '@libs/domain';
import { pointerTo } from './json-pointer.js';
import { membersOf, type NestedObjects } from './members.js';
import { unknownField, UpdateDto } from './update.dto.js';

type Json = Record<string, unknown>;

/** A document, split by the members that its class declares. */
export interface DeclaredMembers {
  /** The members that the class declares, at every level. The objects are new. */
  declared: Json;
  /** Only for an update: the other members of the document. `requireUnchanged` checks them. */
  others: Json;
  /** Undeclared members, and members with another type where the class declares objects; at most 100. */
  issues: FieldIssue[];
}

/**
 * Separates the members that the class declares from the others, before other code uses them. Looks each name up once,
 * so names of `Object.prototype` are ordinary names. A member without objects where its class declares objects is
 * reported here and left out: the rules of the class would visit each of its entries. In a creation, null is left out
 * for a member that may be null.
 */
export function splitByDeclared(metatype: Type<object>, document: object): DeclaredMembers {
  const split = new Split(metatype.prototype instanceof UpdateDto);
  const declared = split.objectOf(metatype, document, []);
  return { declared, others: split.others, issues: split.issues };
}

class Split {
  readonly others: Json = {};
  readonly issues: FieldIssue[] = [];

  constructor(private readonly isUpdate: boolean) {}

  objectOf(metatype: Type<object>, document: object, path: readonly string[]): Json {
    const members = membersOf(metatype);
    const isRecord = this.isUpdate && path.length === 0;
    const declared: Json = {};
    for (const [name, value] of Object.entries(document)) {
      const member = members.get(name);
      if (!member && isRecord) define(this.others, name, value);
      else if (!member) this.report(unknownField(pointerTo([...path, name])));
      else if (value !== null) this.keep(declared, name, this.valueOf(member.nested, value, [...path, name]));
      else if (isRecord || !member.isNullable) define(declared, name, null);
    }
    return declared;
  }

  private keep(declared: Json, name: string, value: unknown): void {
    if (value !== undefined) define(declared, name, value);
  }

  /** Undefined for a value that is reported. */
  private valueOf(nested: NestedObjects | null, value: unknown, path: readonly string[]): unknown {
    if (!nested) return value;
    if (nested.most === null) return this.nestedIn(nested.type, value, path);
    if (!Array.isArray(value)) return this.report(issue(path, 'is_array', 'must be an array'));
    if (value.length > nested.most)
      return this.report(issue(path, 'array_max_size', `must contain no more than ${nested.most} elements`));
    const entries = value.map((entry, index) => this.nestedIn(nested.type, entry, [...path, String(index)]));
    return entries.includes(undefined) ? undefined : entries;
  }

  private nestedIn(type: Type<object>, value: unknown, path: readonly string[]): Json | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return this.objectOf(type, value, path);
    return this.report(issue(path, 'is_object', 'must be an object'));
  }

  private report(issue: FieldIssue): undefined {
    if (this.issues.length < MOST_FIELD_ISSUES) this.issues.push(issue);
  }
}

const issue = (path: readonly string[], code: string, reason: string): FieldIssue => ({
  path: pointerTo(path),
  code,
  reason,
});

/** Defines an own member, also with the name `__proto__`. */
const define = (target: Json, name: string, value: unknown): unknown =>
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
