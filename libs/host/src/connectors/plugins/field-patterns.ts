import { isDeepStrictEqual } from 'node:util';
import { ConnectorFault } from '../delivery/connector-fault.js';

export type FieldPattern = (key: string, value: unknown) => boolean;
type Test = (value: unknown) => boolean;

const inText =
  (test: (text: string) => boolean): Test =>
  (value) =>
    typeof value === 'string' && test(value);
const inNumber =
  (test: (number: number) => boolean): Test =>
  (value) =>
    typeof value === 'number' && test(value);

const KEY_PATTERNS: Record<string, (operand: unknown) => Test> = {
  exact: (operand) => (value) => value === operand,
  starts_with: (operand) => inText((text) => text.startsWith(String(operand))),
  ends_with: (operand) => inText((text) => text.endsWith(String(operand))),
  contains: (operand) => inText((text) => text.includes(String(operand))),
  regex: regexOf,
};
const VALUE_PATTERNS: Record<string, (operand: unknown) => Test> = {
  equals: (operand) => (value) => isDeepStrictEqual(value, operand),
  contains: (operand) => inText((text) => text.includes(String(operand))),
  regex: regexOf,
  greater_than: (operand) => inNumber((number) => number > Number(operand)),
  less_than: (operand) => inNumber((number) => number < Number(operand)),
  between: (operand) => {
    const [low, high] = [operand].flat().map(Number);
    return inNumber((number) => low !== undefined && high !== undefined && number >= low && number <= high);
  },
};
const VALUE_KINDS: Record<string, Test> = {
  is_null: (value) => value === null,
  is_not_null: (value) => value !== null,
  is_string: (value) => typeof value === 'string',
  is_number: (value) => typeof value === 'number',
  is_boolean: (value) => typeof value === 'boolean',
  is_object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  is_array: (value) => Array.isArray(value),
};

/**
 * The pattern `{key_pattern?, value_pattern?}` of a `filter_fields` transform. If both are given, both must match. The syntax
 * is that of upstream: `{"starts_with": "x"}`, `{"between": [1, 2]}`, `"is_null"`.
 * @throws ConnectorFault
 */
export function fieldPattern(spelled: unknown): FieldPattern {
  const { key_pattern: ofKey, value_pattern: ofValue } = (spelled ?? {}) as Record<string, unknown>;
  const key = isGiven(ofKey) ? testOf(ofKey, KEY_PATTERNS, {}) : null;
  const value = isGiven(ofValue) ? testOf(ofValue, VALUE_PATTERNS, VALUE_KINDS) : null;
  return (name, content) => (key?.(name) ?? true) && (value?.(content) ?? true);
}

function testOf(spelled: unknown, patterns: typeof KEY_PATTERNS, kinds: Record<string, Test>): Test {
  if (typeof spelled === 'string' && Object.hasOwn(kinds, spelled)) return kinds[spelled] as Test;
  const [[name, operand] = ['', null], ...rest] = Object.entries((spelled ?? {}) as Record<string, unknown>);
  const make = Object.hasOwn(patterns, name) ? patterns[name] : undefined;
  if (make && rest.length === 0) return make(operand);
  throw new ConnectorFault(`transforms.filter_fields has an unknown pattern: ${JSON.stringify(spelled)}`);
}

function regexOf(operand: unknown): Test {
  try {
    const regex = new RegExp(String(operand), 'u');
    return inText((text) => regex.test(text));
  } catch {
    throw new ConnectorFault(`transforms.filter_fields has an invalid regular expression: ${String(operand)}`);
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
