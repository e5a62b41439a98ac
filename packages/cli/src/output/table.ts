import { timeOfInstallation } from '../settings/clock.js';
import { ageOf, sizeOf } from './age.js';
import type { Column, Shape } from './columns.js';
import { linesOf } from './layout.js';
import { plain, plainLines } from './plain-text.js';

type Item = Record<string, unknown>;

/** These columns come first in a list that has no columns of its own. The others follow in the order of the API. */
const FIRST = ['id', 'name', 'status', 'supervisor_reachable'];
/** Worth a line or a column only when they are false: then the status is an old one. */
const ONLY_WHEN_FALSE = ['supervisor_reachable'];
/** Columns that a list of unknown items shows. */
const MOST_COLUMNS = 8;
/** Members with the id of a level of the organization, and the word for its name. */
const PLACE = /_id$/;

/** A list as a table, one item as lines with a name and a value each. */
export function table(value: unknown, shape: Shape = {}): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : rows(value as unknown[], shape);
  if (typeof value !== 'object' || value === null) return plainLines(String(value));
  const members = Object.entries(value).filter(([key, one]) => !isUnremarkable(key, one));
  const width = Math.max(...members.map(([key]) => key.length));
  return members
    .map(([key, one]) => [plain(key).padEnd(width), one] as const)
    .map(([key, one]) => `${key}  ${isList(one) ? `\n${indented(table(one, inner(shape)))}` : cell(one)}`.trimEnd())
    .join('\n');
}

/** A list inside of an item has its own columns, and is indented. */
const inner = ({ isWide, width }: Shape): Shape => ({
  ...(isWide && { isWide }),
  ...(width !== undefined && { width: width - 2 }),
});

function rows(items: readonly unknown[], shape: Shape): string {
  const all = items.map((item) => (typeof item === 'object' && item !== null ? (item as Item) : { value: item }));
  const columns = columnsOf(all, shape);
  const head = columns.map(({ member, kind }) =>
    plain(kind === 'place' ? placeOf(member, shape) : member).toUpperCase(),
  );
  const cells = all.map((item) => columns.map((column) => valueOf(item[column.member], column, shape)));
  return linesOf([head, ...cells], shape.width);
}

const placeOf = (member: string, { nameOf }: Shape): string => (nameOf ? member.replace(PLACE, '') : member);

function valueOf(value: unknown, { member, kind }: Column, { isWide, width, nameOf }: Shape): string {
  const isRead = width !== undefined && !isWide;
  if (kind === 'place' && typeof value === 'number') return cell(nameOf?.(member, value) ?? value);
  if (isRead && kind === 'time' && typeof value === 'string') return ageOf(value, timeOfInstallation());
  if (isRead && kind === 'size' && typeof value === 'number') return sizeOf(value);
  return cell(value);
}

function columnsOf(items: readonly Item[], { columns, isWide }: Shape): readonly Column[] {
  const cells = items.flatMap((item) => Object.entries(item).filter(([key, one]) => !isUnremarkable(key, one)));
  const names = [...new Set(cells.map(([key]) => key))];
  const single = names.filter((name) => items.some((item) => !isNested(item[name])));
  if (columns === undefined) return plainColumns(single, isWide);
  const remarkable = single.filter((one) => ONLY_WHEN_FALSE.includes(one));
  const others = isWide ? single : remarkable;
  const more = others.filter((name) => columns.every(({ member }) => member !== name));
  const at = columns.findIndex(({ member }) => member === 'status') + 1;
  return isWide || at === 0 ? [...columns, ...asColumns(more)] : columns.toSpliced(at, 0, ...asColumns(more));
}

/** The columns with single values, first the well-known ones. */
function plainColumns(single: readonly string[], isWide = false): Column[] {
  const first = FIRST.filter((name) => single.includes(name));
  const all = [...first, ...single.filter((name) => !first.includes(name))];
  return asColumns(isWide ? all : all.slice(0, MOST_COLUMNS));
}

const asColumns = (members: readonly string[]): Column[] => members.map((member) => ({ member }));
const isUnremarkable = (key: string, value: unknown): boolean => value === true && ONLY_WHEN_FALSE.includes(key);
const isNested = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !isTexts(value) && !isNamed(value) && !isFlags(value);
/** A reference to another resource. */
const isNamed = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
const isAllNamed = (value: unknown): value is { name: string }[] =>
  Array.isArray(value) && value.length > 0 && value.every(isNamed);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one !== 'object');
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && !isTexts(value);
/** Switches, such as the protocols of an access rule. */
const isFlags = (value: unknown): value is Record<string, boolean> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isOfFlags(Object.values(value));
const isOfFlags = (values: readonly unknown[]): boolean =>
  values.length > 0 && values.every((one) => typeof one === 'boolean');

/** A value in one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (isNamed(value)) return cell(value.name);
  if (isAllNamed(value)) return value.map(({ name }) => cell(name)).join(', ');
  if (isTexts(value)) return plain((value as unknown[]).map(String).join(', ')) || '-';
  if (isFlags(value)) return plain(namesOf(value).join(', ')) || 'none';
  return plain(textOf(value));
}

/** The switches that are on, without the words that all have. */
function namesOf(flags: Record<string, boolean>): string[] {
  const names = Object.keys(flags);
  const [prefix = ''] = /^[a-z]+_/.exec(names[0] ?? '') ?? [];
  const isShared = prefix !== '' && names.every((name) => name.startsWith(prefix));
  return names.filter((name) => flags[name]).map((name) => (isShared ? name.slice(prefix.length) : name));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const indented = (text: string): string => text.replaceAll(/^/gm, '  ');
