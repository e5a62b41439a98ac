import { plain, plainLines } from './plain-text.js';

type Item = Record<string, unknown>;

/** These columns come first. The others follow in the order of the API. */
const FIRST = ['id', 'name', 'status', 'supervisor_reachable'];
/** Worth a line or a column only when they are false: then the status is an old one. */
const ONLY_WHEN_FALSE = ['supervisor_reachable'];
/** More columns than these fit no terminal. `-o json` has all members. */
const MOST_COLUMNS = 8;
const WIDEST = 48;

/** A list as a table, one item as lines with a name and a value each. */
export function table(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : rows(value as unknown[]);
  if (typeof value !== 'object' || value === null) return plainLines(String(value));
  const members = Object.entries(value).filter(([key, one]) => !isUnremarkable(key, one));
  const width = Math.max(...members.map(([key]) => key.length));
  return members
    .map(([key, one]) => [plain(key).padEnd(width), one] as const)
    .map(([key, one]) => `${key}  ${isList(one) ? `\n${indented(table(one))}` : cell(one)}`.trimEnd())
    .join('\n');
}

function rows(items: readonly unknown[]): string {
  const all = items.map((item) => (typeof item === 'object' && item !== null ? (item as Item) : { value: item }));
  const columns = columnsOf(all);
  const lines = [
    columns.map((name) => plain(name).toUpperCase()),
    ...all.map((item) => columns.map((name) => cut(cell(item[name])))),
  ];
  const widths = columns.map((_name, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((one, at) => one.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The columns with single values, first the well-known ones. */
function columnsOf(items: readonly Item[]): string[] {
  const cells = items.flatMap((item) => Object.entries(item).filter(([key, one]) => !isUnremarkable(key, one)));
  const names = [...new Set(cells.map(([key]) => key))];
  const single = names.filter((name) => items.some((item) => !isNested(item[name])));
  const first = FIRST.filter((name) => single.includes(name));
  return [...first, ...single.filter((name) => !first.includes(name))].slice(0, MOST_COLUMNS);
}

const isUnremarkable = (key: string, value: unknown): boolean => value === true && ONLY_WHEN_FALSE.includes(key);
const isNested = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !isTexts(value) && !isNamed(value);
/** A reference to another resource. */
const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one !== 'object');
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && !isTexts(value);

/** A value in one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (isNamed(value)) return cell(value.name);
  if (isTexts(value)) return plain((value as unknown[]).map(String).join(', ')) || '-';
  return plain(textOf(value));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const cut = (text: string): string => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text);
const indented = (text: string): string => text.replaceAll(/^/gm, '  ');
