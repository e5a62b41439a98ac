import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

const NESTED = Symbol('landlord.nested');
const NULLABLE = Symbol('landlord.nullable');
const NAME = Symbol('landlord.name');
const READ = Symbol('landlord.read');
const asItIs = (value: unknown): unknown => value;

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
  /** Whether the member is a name, whose rules have become stricter. */
  isName: boolean;
  /** Makes the declared form of a value that may have objects, before the rules see it. */
  read: (value: unknown) => unknown;
}

/** Marks a member with objects of their own class. */
export const markNested =
  (nested: NestedObjects): PropertyDecorator =>
  (prototype, name) =>
    Reflect.defineMetadata(NESTED, nested, prototype, name);

/** Marks a member that may be null. */
export const markNullable: PropertyDecorator = (prototype, name) =>
  Reflect.defineMetadata(NULLABLE, true, prototype, name);

/** Marks a member that is a name. */
export const markName: PropertyDecorator = (prototype, name) => Reflect.defineMetadata(NAME, true, prototype, name);

/**
 * Reads a member whose value may have objects without a class of their own. `Transform` of class-transformer sees no such value,
 * because the library would take an own member `constructor` for the class.
 */
export const ReadBy =
  (read: (value: unknown) => unknown): PropertyDecorator =>
  (prototype, name) =>
    Reflect.defineMetadata(READ, read, prototype, name);

const cache = new WeakMap<Type<object>, ReadonlyMap<string, Member>>();

/** Returns the members that a class declares, by name: those with at least one rule. */
export function membersOf(metatype: Type<object>): ReadonlyMap<string, Member> {
  const before = cache.get(metatype);
  if (before) return before;
  const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
  const members = new Map(rules.map(({ propertyName }) => [propertyName, memberOf(metatype, propertyName)]));
  cache.set(metatype, members);
  return members;
}

function memberOf(metatype: Type<object>, name: string): Member {
  const prototype = metatype.prototype as object;
  const nested = Reflect.getMetadata(NESTED, prototype, name) as NestedObjects | undefined;
  const isMarked = (mark: symbol): boolean => Reflect.getMetadata(mark, prototype, name) === true;
  const read = Reflect.getMetadata(READ, prototype, name) as Member['read'] | undefined;
  return { nested: nested ?? null, isNullable: isMarked(NULLABLE), isName: isMarked(NAME), read: read ?? asItIs };
}
