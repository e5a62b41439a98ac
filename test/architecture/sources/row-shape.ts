import ts from 'typescript';

/** How a value of a row looks in this process. */
export type ValueKind = 'number' | 'string' | 'boolean' | 'date' | 'bytes' | 'json' | 'array' | 'any';

/** The declared type of one property of a row. */
export interface PropertyShape {
  name: string;
  /** The kinds of the type without null. One kind, unless the type is a union of different kinds. */
  kinds: ValueKind[];
  /** The kinds of the elements of an array. */
  elements: ValueKind[];
  isNullable: boolean;
  isOptional: boolean;
  /** The type contains a Date below its first level. JSON never contains a Date. */
  hasInnerDate: boolean;
  /** The type as TypeScript writes it. */
  text: string;
}

const BY_CLASS: Record<string, ValueKind> = { Date: 'date', Buffer: 'bytes', Uint8Array: 'bytes' };
const BY_FLAG: [ts.TypeFlags, ValueKind][] = [
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.Unknown, 'any'],
  [ts.TypeFlags.Any, 'any'],
];
/** JSON of this code is not deeper. The limit also ends recursive types. */
const DEEPEST = 5;

/** The properties of a type with the kinds of their values. */
export function shapeOf(checker: ts.TypeChecker, row: ts.Type): PropertyShape[] {
  return checker.getPropertiesOfType(row).map((property) => propertyShape(checker, property));
}

function propertyShape(checker: ts.TypeChecker, property: ts.Symbol): PropertyShape {
  const type = checker.getTypeOfSymbol(property);
  const isNullable = partsOf(type).some(({ flags }) => (flags & (ts.TypeFlags.Null | ts.TypeFlags.Unknown)) !== 0);
  const parts = partsOf(type).filter(({ flags }) => !(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)));
  const elements = parts.flatMap((part) => elementsOf(checker, part)).flatMap(partsOf);
  const values = elements.filter(({ flags }) => !(flags & ts.TypeFlags.Null));
  return {
    name: property.name,
    kinds: kindsOf(checker, parts),
    elements: kindsOf(checker, values),
    isNullable,
    isOptional: (property.flags & ts.SymbolFlags.Optional) !== 0,
    hasInnerDate: parts.some((part) => kindOf(checker, part) !== 'date' && hasDate(checker, part, 0)),
    text: checker.typeToString(type),
  };
}

const partsOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);

const kindsOf = (checker: ts.TypeChecker, types: ts.Type[]): ValueKind[] => [
  ...new Set(types.map((type) => kindOf(checker, type))),
];

const isArray = (checker: ts.TypeChecker, type: ts.Type): boolean =>
  checker.isArrayType(type) || checker.isTupleType(type);

const elementsOf = (checker: ts.TypeChecker, type: ts.Type): readonly ts.Type[] =>
  isArray(checker, type) ? checker.getTypeArguments(type as ts.TypeReference) : [];

function kindOf(checker: ts.TypeChecker, type: ts.Type): ValueKind {
  const [, plain] = BY_FLAG.find(([flag]) => (type.flags & flag) !== 0) ?? [];
  if (plain) return plain;
  // An id such as TenantId: a number with a member that only the compiler knows.
  if (type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.Number)) return 'number';
  if (isArray(checker, type)) return 'array';
  return BY_CLASS[type.symbol?.name ?? ''] ?? 'json';
}

function hasDate(checker: ts.TypeChecker, type: ts.Type, depth: number): boolean {
  if (depth > DEEPEST) return false;
  const inner = (part: ts.Type): boolean => hasDate(checker, part, depth + 1);
  if (type.isUnion()) return type.types.some(inner);
  const kind = kindOf(checker, type);
  if (kind === 'array') return elementsOf(checker, type).some(inner);
  if (kind !== 'json') return kind === 'date';
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  const members = checker.getPropertiesOfType(type).map((property) => checker.getTypeOfSymbol(property));
  return [...members, ...(index ? [index] : [])].some(inner);
}
