import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

const NESTED = Symbol('landlord.nested');
const NULLABLE = Symbol('landlord.nullable');

/** The objects of their own class in a member. */
export interface NestedObjects {
  type: Type<object>;
  /** Maximum number of objects in a list; null when the member is one object. */
  most: number | null;
}

/** The declaration of one member in a class of bodies or queries. */
export interface Member {
  nested: NestedObjects | null;
  /** Whether the member may be null. */
  isNullable: boolean;
}

/** Marks a member with objects of their own class. */
export const markNested =
  (nested: NestedObjects): PropertyDecorator =>
  (prototype, name) =>
    Reflect.defineMetadata(NESTED, nested, prototype, name);

/** Marks a member that may be null. */
export const markNullable: PropertyDecorator = (prototype, name) =>
  Reflect.defineMetadata(NULLABLE, true, prototype, name);

const known = new WeakMap<Type<object>, ReadonlyMap<string, Member>>();

/** Returns the members that a class declares, by name: those with at least one rule. */
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
