/** The value of a key. */
export type TomlValue = string | number | boolean | readonly string[];
/** A table with values, and with tables of values. */
export type TomlTable = Readonly<Record<string, TomlValue | Readonly<Record<string, TomlValue>>>>;

/**
 * TOML of dotted keys, grouped by table and sorted, so that equal keys give equal bytes. JSON has the same syntax for these
 * values.
 */
export function tomlText(keys: Readonly<Record<string, TomlValue>>): string {
  const tables = new Map<string, string[]>();
  for (const [key, value] of Object.entries(keys).sort(byKey)) {
    const dot = key.lastIndexOf('.');
    const table = dot < 0 ? '' : key.slice(0, dot);
    tables.set(table, [...(tables.get(table) ?? []), `${key.slice(dot + 1)} = ${JSON.stringify(value)}`]);
  }
  const texts = [...tables].sort(byKey).map(([table, lines]) => [...(table ? [`[${table}]`] : []), ...lines]);
  return `${texts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** TOML of an array of tables, such as `[[cluster.nodes]]`. */
export function tomlTables(name: string, tables: readonly TomlTable[]): string {
  return tables.map((table) => `\n[[${name}]]\n${Object.entries(table).map(lineOf).join('\n')}\n`).join('');
}

const lineOf = ([key, value]: [string, TomlTable[string]]): string => `${key} = ${inline(value)}`;

function inline(value: TomlTable[string]): string {
  if (typeof value !== 'object' || isList(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value).map(lineOf).join(', ')} }`;
}

const isList = (value: object): value is readonly string[] => Array.isArray(value);

const byKey = ([left]: [string, unknown], [right]: [string, unknown]): number =>
  left < right ? -1 : Number(left > right);
