import pg from 'pg';
import type { ValueKind } from './row-shape.js';

/** One column of the rows that PostgreSQL returns for a statement. */
export interface DescribedColumn {
  name: string;
  /** The type as PostgreSQL writes it. */
  type: string;
  kind: ValueKind;
  /** The kind of the elements of an array. */
  element: ValueKind | undefined;
  /** The column of a table, as `table.column`. `undefined` for an expression. */
  source: string | undefined;
  /** Whether the value can be null: the column allows null, or its table is in an outer join. `undefined` for an expression. */
  isNullable: boolean | undefined;
}

interface Field {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

/** A value of each type as text, for the parsers of this process. */
const SAMPLES: Record<string, string> = {
  ...Object.fromEntries(['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid'].map((name) => [name, '1'])),
  ...Object.fromEntries(['text', 'varchar', 'name', 'inet', 'cidr', 'pg_lsn'].map((name) => [name, 'x'])),
  ...Object.fromEntries(['timestamptz', 'timestamp', 'date'].map((name) => [name, '2026-01-01 00:00:00'])),
  ...{ bool: 't', bytea: '\\x00', json: '{}', jsonb: '{}', void: '', uuid: '00000000-0000-0000-0000-000000000000' },
};

/** Parses and describes one statement, without running it. */
class Description {
  private result: Field[] | Error = [];

  constructor(
    private readonly text: string,
    private readonly done: (result: Field[] | Error) => void,
  ) {}

  submit(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.result = fields;
  }

  handleError(failure: Error): void {
    this.result = failure;
  }

  handleReadyForQuery(): void {
    this.done(this.result);
  }
}

/** The types and columns of a database, by their ids. */
interface Catalog {
  types: Map<number, { name: string; element: string | null }>;
  columns: Map<string, { source: string; table: string; isRequired: boolean }>;
}

/** The columns of each statement, and the statements that PostgreSQL refuses. */
export interface DescribedStatements {
  columns: Map<string, DescribedColumn[]>;
  refused: string[];
}

/** Describes statements on a connection of its own: the connections of the apps accept no own kinds of queries. */
export async function describeStatements(
  databaseUrl: string,
  statements: ReadonlyMap<string, string>,
): Promise<DescribedStatements> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const catalog = await catalogOf(client);
    const described: DescribedStatements = { columns: new Map(), refused: [] };
    for (const [name, text] of statements) {
      const fields = await fieldsOf(client, text);
      if (fields instanceof Error) described.refused.push(`${name}: ${fields.message}`);
      else described.columns.set(name, columnsOf(catalog, text, fields));
    }
    return described;
  } finally {
    await client.end();
  }
}

const fieldsOf = (client: pg.Client, text: string): Promise<Field[] | Error> =>
  new Promise((resolve) => void client.query(new Description(text, resolve)));

async function catalogOf(client: pg.Client): Promise<Catalog> {
  const types = await client.query<{ oid: number; name: string; element: string | null }>(
    `select t.oid, t.typname as name, e.typname as element
       from pg_type t left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'`,
  );
  const columns = await client.query<{ id: string; source: string; table: string; isRequired: boolean }>(
    `select attrelid || '.' || attnum as id, relname || '.' || attname as source, relname as table,
            attnotnull as "isRequired"
       from pg_attribute join pg_class c on c.oid = attrelid
      where attnum > 0 and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  return {
    types: new Map(types.rows.map(({ oid, ...type }) => [oid, type])),
    columns: new Map(columns.rows.map(({ id, ...column }) => [id, column])),
  };
}

function columnsOf({ types, columns }: Catalog, text: string, fields: Field[]): DescribedColumn[] {
  const optional = optionalTables(text);
  return fields.map(({ name, tableID, columnID, dataTypeID }) => {
    const type = types.get(dataTypeID) ?? { name: String(dataTypeID), element: null };
    const origin = columns.get(`${tableID}.${columnID}`);
    const isOptional = origin && (optional.has(ANY_TABLE) || optional.has(origin.table));
    return {
      name,
      type: type.element ? `${type.element}[]` : type.name,
      ...parsed(dataTypeID, type),
      source: origin?.source,
      isNullable: origin && (isOptional || !origin.isRequired),
    };
  });
}

/** Parses a sample with the parsers of this process, because they decide what a row contains. */
function parsed(
  oid: number,
  type: { name: string; element: string | null },
): Pick<DescribedColumn, 'kind' | 'element'> {
  const sample = SAMPLES[type.element ?? type.name];
  if (sample === undefined) throw new Error(`The type ${type.name} needs a sample.`);
  const value: unknown = pg.types.getTypeParser(oid, 'text')(type.element ? `{"${sample}"}` : sample);
  const element = Array.isArray(value) ? kindOf(value[0]) : undefined;
  return { kind: element ? 'array' : kindOf(value), element };
}

function kindOf(value: unknown): ValueKind {
  if (value instanceof Date) return 'date';
  if (Buffer.isBuffer(value)) return 'bytes';
  return typeof value === 'object' ? 'json' : (typeof value as ValueKind);
}

const ANY_TABLE = '*';

/**
 * The tables that a statement joins with an outer join: their columns can be null in the result. For a common table
 * expression or a subquery, the tables inside.
 */
function optionalTables(text: string): Set<string> {
  if (/\b(right|full)\s+(outer\s+)?join\b/i.test(text)) return new Set([ANY_TABLE]);
  const joined = [...text.matchAll(/\bleft\s+(?:outer\s+)?join\s+(?:lateral\s+)?(\(|[a-z_]+)/gi)];
  const names = joined.flatMap((match) => {
    const name = match[1] ?? '';
    return name === '(' ? tablesIn(`from ${insideParentheses(text, match.index + match[0].length)}`) : [name];
  });
  return new Set(names.flatMap((name) => [name, ...tablesOfExpression(text, name)]));
}

const tablesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:from|join|into|update)\s+(?:lateral\s+)?([a-z_]+)/gi)].map(([, name]) => name ?? '');

function tablesOfExpression(text: string, name: string): string[] {
  const match = new RegExp(`\\b${name}\\s+as\\s+(?:(?:not\\s+)?materialized\\s+)?\\(`, 'i').exec(text);
  return match ? tablesIn(insideParentheses(text, match.index + match[0].length)) : [];
}

/** The text from `start` to the parenthesis that closes an open one. */
function insideParentheses(text: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; end < text.length && depth > 0; end += 1) depth += { '(': 1, ')': -1 }[text[end] ?? ''] ?? 0;
  return text.slice(start, end);
}
