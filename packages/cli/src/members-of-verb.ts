import type { AnyOptions } from './common-options.js';
import { usage } from './exit.js';
import { isLevel, levelOf, type Where } from './ids-of-verb.js';
import { timeOf } from './settings/duration.js';
import { idNamed } from './settings/finder.js';
import { readInput } from './settings/read-input.js';
import type { Verb, VerbOption } from './verb.js';

type Members = Record<string, unknown>;

/** The members of the request that the options name. */
export async function membersOf(verb: Verb, options: AnyOptions, ids: object, where: Where): Promise<Members> {
  const flat: Members = {};
  // A resource can be in a level that another option names.
  const [levels, others] = [true, false].map((isOfLevel) =>
    verb.options.filter(({ level }) => (level !== undefined) === isOfLevel),
  );
  for (const one of [...(levels ?? []), ...(others ?? [])]) {
    const value = options[camel(one.name)];
    if (value !== undefined) flat[one.member] = await valueOf(one, value, { ...ids, ...besides(one, flat) }, where);
  }
  return nested(flat);
}

/** Ids in the same object of the body: the backup of `restore_from` is one of its deployment. */
function besides({ member }: VerbOption, flat: Members): Members {
  const [outer = '', inner] = member.split('.');
  if (inner === undefined) return {};
  const siblings = Object.entries(flat).filter(([name]) => name.startsWith(`${outer}.`));
  return Object.fromEntries(siblings.map(([name, value]) => [name.slice(outer.length + 1), value]));
}

function nested(flat: Members): Members {
  const members: Members = {};
  for (const [member, value] of Object.entries(flat)) {
    const [outer = '', inner] = member.split('.');
    if (inner === undefined) members[outer] = value;
    else members[outer] = { ...(members[outer] as object | undefined), [inner]: value };
  }
  return members;
}

async function valueOf(option: VerbOption, value: unknown, ids: object, where: Where): Promise<unknown> {
  const { name, kind, time } = option;
  if (time !== undefined) return timeOf(String(value), time);
  if (kind === 'number') return numberOf(option, value, ids, where);
  if (kind === 'numbers') return Promise.all((value as string[]).map((one) => numberOf(option, one, ids, where)));
  if (kind === 'flag') return booleanOf(name, value);
  return kind === 'json' ? jsonOf(`--${name}`, String(value)) : value;
}

/** A number, or the id of what the text names. */
async function numberOf(
  { name, level, finds }: VerbOption,
  value: unknown,
  ids: object,
  where: Where,
): Promise<number> {
  const text = String(value);
  if (level !== undefined && isLevel(level)) return (await where.places.anywhere(levelOf(level), text))[level] ?? 0;
  if (finds) return idNamed(where.landlord, finds, text, ids);
  const number = Number(value);
  if (text.trim() === '' || !Number.isFinite(number)) throw usage(`--${name} must be a number, and is "${text}".`);
  // JavaScript would send another number.
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw usage(`--${name} is "${text}", which is too large.`);
  return number;
}

function booleanOf(name: string, value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === 'false') return false;
  throw usage(`--${name} is "${String(value)}". Use true or false.`);
}

/** The members that the option --body has: JSON, a file, or stdin. */
export function bodyOf(value: string | undefined): object {
  if (value === undefined) return {};
  const file = value === '-' ? value : /^@(.+)/.exec(value)?.[1];
  const body = jsonOf('--body', file === undefined ? value : readInput(file));
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw usage('--body must be a JSON object.');
}

function jsonOf(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${option} is not JSON: ${(error as Error).message}`);
  }
}

/** The name of an option in the values of commander. */
export const camel = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
