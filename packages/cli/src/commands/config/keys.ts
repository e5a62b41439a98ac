import type { Supervisor } from '@landlord/sdk';
import { usage, type CommandError } from '../../exit.js';
import { nearest } from '../../output/nearest.js';
import type { Values } from './target.js';

type Section = Supervisor.SchemaSectionView;
type Entry = Supervisor.SchemaEntryView;

const NUMBER = /^-?\d{1,15}(?:\.\d+)?$/;

/** A key with its section: `mqtt.max_connections`. */
export interface Setting extends Entry {
  path: string;
}

/** All keys of the schema. */
export const settingsOf = (schema: readonly Section[]): Setting[] =>
  schema.flatMap((section) => section.schema.map((entry) => ({ ...entry, path: `${section.key}.${entry.key}` })));

const isGroup = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values without the key, in each spelling: levels are nested or joined by dots. */
export function withoutKey(values: Values, path: string): Values {
  const words = path.split('.');
  const rest = { ...values };
  for (let length = 1; length <= words.length; length += 1) {
    const head = words.slice(0, length).join('.');
    const value = rest[head];
    if (length === words.length) delete rest[head];
    else if (isGroup(value)) {
      const inner = withoutKey(value, words.slice(length).join('.'));
      if (Object.keys(inner).length > 0) rest[head] = inner;
      else delete rest[head];
    }
  }
  return rest;
}

/** The values with the key, nested. */
export function withKey(values: Values, path: string, value: unknown): Values {
  return nested(withoutKey(values, path), path.split('.'), value);
}

function nested(values: Values, [word = '', ...words]: readonly string[], value: unknown): Values {
  if (words.length === 0) return { ...values, [word]: value };
  const inner = values[word];
  return { ...values, [word]: nested(isGroup(inner) ? inner : {}, words, value) };
}

/** The value of the key. Undefined: the values do not have the key. */
export function valueAt(values: Values, path: string): unknown {
  const words = path.split('.');
  for (let length = words.length; length > 0; length -= 1) {
    const head = words.slice(0, length).join('.');
    if (!Object.hasOwn(values, head)) continue;
    const value = values[head];
    if (length === words.length) return value;
    if (isGroup(value)) return valueAt(value, words.slice(length).join('.'));
  }
  return undefined;
}

/** The setting of the key. @throws CommandError for an unknown key, with a similar one */
export function settingAt(settings: readonly Setting[], path: string): Setting {
  const setting = settings.find((one) => one.path === path);
  if (setting) return setting;
  throw unknown(
    path,
    settings.map((one) => one.path),
  );
}

function unknown(path: string, paths: readonly string[]): CommandError {
  const similar = nearest(path, paths) ?? paths.find((one) => one.endsWith(`.${path}`));
  const question = similar === undefined ? '' : ` Did you mean ${similar}?`;
  return usage(`There is no key "${path}".${question}`, 'landlord config get-schema');
}

/** The value that the text means for the setting. The API checks it. @throws CommandError for JSON that is none */
export function valueOf({ path, kind }: Setting, text: string): unknown {
  if (kind === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  if ((kind === 'integer' || kind === 'number') && NUMBER.test(text)) return Number(text);
  if (text.startsWith('[') || kind === 'map' || kind === 'json') return jsonOf(path, text);
  const words = text.split(',').filter((one) => one !== '');
  if (kind === 'integers') return words.map((one) => (NUMBER.test(one) ? Number(one) : one));
  return kind === 'list' ? words : text;
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`The value of ${path} is not JSON: ${(error as Error).message}`);
  }
}

/** What a value may be: its kind and its rules, in one line. */
export function limitsOf({ kind, unit, rules }: Entry): string {
  const limits = rules.map(({ rule, value }) => `${rule.replaceAll('_', ' ')} ${[value].flat().join(', ')}`);
  return [kind, ...(unit === null ? [] : [`in ${unit}`]), ...limits].join('; ');
}
