import { plain } from '@landlord/cli/plain-text';

/** The format of the output. */
export interface Output {
  json?: boolean;
}

type Cell = string | number | boolean | Date | null | undefined | object;
/** The title and the content of each column. */
export type Columns<Row> = Record<string, (row: Row) => Cell>;

/** Columns whose titles are the names of the fields. */
export const fields = <Name extends string>(
  ...names: readonly Name[]
): Record<Name, (row: Record<Name, Cell>) => Cell> =>
  Object.fromEntries(names.map((name) => [name, (row: Record<Name, Cell>) => row[name]])) as never;

/** A list: an aligned table, or JSON with all data of each row. */
export function printList<Row>(rows: readonly Row[], columns: Columns<Row>, { json }: Output, none = 'None.'): void {
  if (json) return printJson(rows);
  if (rows.length === 0) return say(none);
  const titles = Object.keys(columns);
  const lines = [
    titles.map((title) => title.toUpperCase()),
    ...rows.map((row) => titles.map((title) => cell(columns, title, row))),
  ];
  const widths = titles.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  for (const line of lines)
    say(
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** One object: a line per fact, or JSON with all data. */
export function printFacts(facts: Record<string, Cell>, all: unknown, { json }: Output): void {
  if (json) return printJson(all);
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  for (const [name, value] of Object.entries(facts)) say(`${name.padEnd(width)}  ${textOf(value)}`);
}

export function printJson(value: unknown): void {
  say(JSON.stringify(value, null, 2));
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** `3m`, `2h`, `5d`: the time since or until the moment. */
export function ago(time: Date | null): string {
  if (time === null) return '-';
  const seconds = Math.round((Date.now() - time.getTime()) / 1000);
  return seconds < 0 ? `in ${spell(-seconds)}` : `${spell(seconds)} ago`;
}

function spell(seconds: number): string {
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)}h` : `${Math.round(seconds / 86_400)}d`;
}

const cell = <Row>(columns: Columns<Row>, title: string, row: Row): string => textOf(columns[title]?.(row));

function textOf(value: Cell): string {
  if (value === null || value === undefined || value === '') return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((part: Cell) => textOf(part)).join(', ') || '-';
  // One row is one line, even if an error message has several.
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/\s*\n\s*/g, ' ');
  // Tenants and clients of brokers write names and log lines.
  return plain(text);
}
