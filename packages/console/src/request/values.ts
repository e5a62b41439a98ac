import type { Input, MemberShape } from './shape.js';

/** What the fields of a form contain, by the name of the member. A list without choices is a text with a line for each item. */
export type Value = string | boolean | readonly string[];
export type Values = Readonly<Record<string, Value>>;

/** A value that a person typed cannot be sent. */
export class ValueError extends Error {
  constructor(
    readonly member: string,
    message: string,
  ) {
    super(message);
  }
}

/** The values that a record of the API has, as the fields show them. */
export const valuesOf = (members: readonly MemberShape[], record: Input): Values =>
  Object.fromEntries(members.map((one) => [one.member, shown(one, at(record, one.member))]));

/** The value at the path. A key of the record can have dots itself: `segment.size`. */
function at(record: unknown, path: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined;
  if (Object.hasOwn(record, path)) return (record as Input)[path];
  const [name = '', ...rest] = path.split('.');
  return rest.length === 0 ? undefined : at((record as Input)[name], rest.join('.'));
}

function shown({ kind, choices, default: otherwise }: MemberShape, value: unknown): Value {
  if (kind === 'flag') return choices ? textOf(value ?? otherwise) : (value ?? otherwise) === true;
  if (kind === 'texts' || kind === 'numbers') {
    const items = Array.isArray(value) ? (value as (string | number)[]).map(String) : [];
    return choices ? items : items.join('\n');
  }
  return kind === 'json' && typeof value === 'string' ? JSON.stringify(value) : textOf(value);
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/**
 * The members that a form sends: those that are required, and those whose value is another than at first. An emptied field sends null, or an empty list.
 * An object is sent whole, without its emptied members, because the API replaces objects.
 * @throws ValueError
 */
export function inputOf(members: readonly MemberShape[], values: Values, first: Values = {}): Input {
  const outers = new Set(
    members.filter((one) => one.required === true || isChanged(one, values, first)).map((one) => outerOf(one)),
  );
  const input: Record<string, unknown> = {};
  for (const member of members.filter((one) => outers.has(outerOf(one)))) {
    const value = sent(member, values[member.member] ?? '');
    const wasGiven = !isEmpty(first[member.member]);
    if (value !== undefined) put(input, member.member, value);
    else if (wasGiven && isList(member)) put(input, member.member, []);
    // An emptied member of an object is left out. Without another member, the object is emptied.
    else if (wasGiven) input[outerOf(member)] ??= null;
  }
  return input;
}

const outerOf = ({ member }: MemberShape): string => member.split('.')[0] ?? member;
const isEmpty = (value: Value | undefined): boolean =>
  value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);

function isChanged({ member }: MemberShape, values: Values, first: Values): boolean {
  const [now, before] = [values[member], first[member]];
  return isEmpty(now) ? !isEmpty(before) : JSON.stringify(now) !== JSON.stringify(before);
}

const isList = ({ kind }: MemberShape): boolean => kind === 'texts' || kind === 'numbers';

/** Undefined: nothing was given. */
function sent(shape: MemberShape, value: Value): unknown {
  if (typeof value === 'boolean') return value;
  if (isList(shape)) return itemsOf(shape, value);
  const text = String(value);
  if (text.trim() === '') return undefined;
  return shape.secret === true && shape.kind === 'text' ? text : singleOf(shape, text.trim());
}

function itemsOf({ member, kind, required }: MemberShape, value: string | readonly string[]): unknown {
  const items = typeof value === 'string' ? linesOf(value) : value;
  if (items.length === 0) return required === true ? [] : undefined;
  return kind === 'texts' ? items : items.map((item) => numberOf(member, item));
}

function singleOf({ member, kind }: MemberShape, text: string): unknown {
  if (kind === 'flag') return text === 'true';
  if (kind === 'number') return numberOf(member, text);
  return kind === 'json' ? jsonOf(member, text) : text;
}

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function numberOf(member: string, text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number) || Math.abs(number) > Number.MAX_SAFE_INTEGER)
    throw new ValueError(member, `"${text}" is not a number.`);
  return number;
}

function jsonOf(member: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ValueError(member, `This is not JSON: ${(error as Error).message}`);
  }
}

function put(input: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? path;
  let inner = input;
  for (const name of names) {
    inner[name] ??= {};
    inner = inner[name] as Record<string, unknown>;
  }
  inner[last] = value;
}

/** The required members without a value. */
export const missingOf = (members: readonly MemberShape[], values: Values): readonly MemberShape[] =>
  members.filter((one) => one.required === true && one.kind !== 'flag' && isEmpty(values[one.member]));
