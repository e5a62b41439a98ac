import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

const NESTED = Symbol('landlord.nested');
const NULLABLE = Symbol('landlord.nullable');

/** The objects of a class of their own that a member holds. */
export interface NestedObjects {
  type: Type<object>;
  /** How many objects a list holds at the most; null when the member is one object. */
  most: number | null;
}

/** What a class of bodies or queries says about one of its members. */
export interface Member {
  nested: NestedObjects | null;
  /** Whether null is a value of the member. */
  isNullable: boolean;
}

/** Marks a member that holds objects of a class of its own. */
export const markNested =
  (nested: NestedObjects): PropertyDecorator =>
  (prototype, name) =>
    Reflect.defineMetadata(NESTED, nested, prototype, name);

/** Marks a member that may be null. */
export const markNullable: PropertyDecorator = (prototype, name) =>
  Reflect.defineMetadata(NULLABLE, true, prototype, name);

const known = new WeakMap<Type<object>, ReadonlyMap<string, Member>>();

/** The members that a class declares, by name: those that have at least one rule. */
export function membersOf(metatype: Type<object>): ReadonlyMap<string, Member> {
  const before = known.get(metatype);
  if (before) return before;
  const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
  const members = new Map(rules.map(({ propertyName }) => [propertyName, memberOf(metatype, propertyName)]));
  known.set(metatype, members);
  return members;
}

function memberOf(metatype: Type<object>, name: string): Member {
  const prototype = metatype.prototype as object;
  const nested = Reflect.getMetadata(NESTED, prototype, name) as NestedObjects | undefined;
  return { nested: nested ?? null, isNullable: Reflect.getMetadata(NULLABLE, prototype, name) === true };
}
