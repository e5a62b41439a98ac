import { isUtf8 } from 'node:buffer';
import { usage } from '../exit.js';
import { ENVIRONMENT } from '../settings/config.js';
import type { Shape } from './columns.js';
import { plain, plainLines } from './plain-text.js';
import { table } from './table.js';

export const FORMATS = ['table', 'wide', 'json', 'yaml', 'name'] as const;
export type Format = (typeof FORMATS)[number];

const LINE_BREAK = 10;

/** Whether a person reads the answer, and not a program. */
export const isForPeople = (format: Format): boolean => format === 'table' || format === 'wide';

/** Data for programs and people goes to stdout. Everything else goes to stderr. */
export async function print(value: unknown, format: Format, shape: Shape = {}): Promise<void> {
  if (value === undefined) return;
  process.stdout.write(`${await formatted(value, format, shape)}\n`);
}

/** A file as the API sends it. @throws CommandError for a file that a terminal cannot show */
export async function printFile(bytes: Uint8Array): Promise<void> {
  if (process.stdout.isTTY && !isUtf8(bytes)) throw usage('The answer is a file and no text.', 'add > <file>');
  const lineBreak = process.stdout.isTTY && bytes.at(-1) !== LINE_BREAK ? '\n' : '';
  await new Promise<void>((resolve) => process.stdout.write(bytes, () => resolve()));
  process.stdout.write(lineBreak);
}

/** A message for a person. It can have names and details that other users have written. */
export const tell = (message: string): void => void process.stderr.write(`${plainLines(message)}\n`);

/**
 * The value as JSON. Some terminals take the control characters after ASCII, which JSON does not escape, for commands. Format characters
 * turn the direction of the text or are invisible.
 */
export const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(/[\u007F-\u009F]|\p{Cf}/gu, (one) =>
    [...Array(one.length).keys()].map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/** Colours, prompts and redrawn lines need a terminal. */
export const isTerminal = (): boolean => process.stderr.isTTY === true && ENVIRONMENT.hasColour;

async function formatted(value: unknown, format: Format, shape: Shape): Promise<string> {
  if (format === 'json') return jsonOf(value, 2);
  if (format === 'yaml') return (await import('./yaml.js')).yamlOf(value);
  if (format === 'name') return itemsOf(value).map(nameOf).join('\n');
  const width = process.stdout.isTTY ? process.stdout.columns : 0;
  return table(value, { ...shape, ...(format === 'wide' ? { isWide: true } : width > 0 && { width }) });
}

const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** The members that name an item, the usual ones first. */
const NAMES = ['name', 'email', 'key', 'code', 'month', 'type', 'id', 'node_id'];

/** @throws CommandError for an answer without a name, which can have a password instead */
function nameOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return plain(String(item));
  const members = item as Record<string, unknown>;
  const name = NAMES.map((member) => members[member]).find((one) => typeof one === 'string' || typeof one === 'number');
  if (name === undefined) throw usage('The answer has no name.', 'another form: -o json');
  return plain(String(name));
}
