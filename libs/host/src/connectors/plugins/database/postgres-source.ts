import { createHash } from 'node:crypto';
import { ConnectorFault } from '../../delivery/connector-fault.js';
import type { PluginOptions } from '../plugin-options.js';
import type { PluginContext, SourceBatch, SourceMessage, SourcePlugin, SourcePosition } from '../plugin.js';
import { postgresAddress } from './postgres-address.js';
import { PostgresConnection, quoted, quotedTable } from './postgres-connection.js';

/** The last row that was read of each table: tracking value and primary key, as the server writes them. */
type Cursor = Record<string, [string, string]>;
type Row = Record<string, unknown>;

interface ReadRow {
  table: string;
  tracking: string;
  key: string;
  row: Row;
}

/** A batch with the rows to mark or delete afterwards. */
interface PostgresBatch extends SourceBatch {
  rows: readonly ReadRow[];
}

const FORMATS = ['json', 'bytea', 'text'] as const;
const TRACKING = 'ld_tracking';
const KEY = 'ld_key';
const SHORTEST_INTERVAL_MS = 10;
/** The server keeps at most this number of parameters for a statement. */
const MOST_ROWS = 10_000;

/**
 * Reads new rows of tables by a column that only grows. A row that another transaction commits later with a smaller value is
 * not seen: then `processed_column` or `delete_after_read` fits, which read every row that is not marked.
 */
export class PostgresSource implements SourcePlugin {
  readonly intervalMs: number;
  private readonly connection: PostgresConnection;
  private readonly tables: readonly string[];
  private readonly batchSize: number;
  private readonly tracking: string;
  private readonly key: string;
  private readonly initial: string | null;
  private readonly deletes: boolean;
  private readonly processed: string | null;
  private readonly payloadColumn: string | null;
  private readonly format: (typeof FORMATS)[number];
  private readonly isSnakeCase: boolean;
  private readonly hasMetadata: boolean;

  constructor(
    options: PluginOptions,
    private readonly context: PluginContext,
  ) {
    if (options.text('mode') !== 'polling')
      throw new ConnectorFault(
        'plugin_config.mode must be polling. These nodes cannot follow changes of a replication slot',
      );
    this.connection = new PostgresConnection(postgresAddress(options.text('connection_string')), context);
    this.tables = options.names('tables');
    this.intervalMs = Math.max(options.duration('poll_interval', 10_000), SHORTEST_INTERVAL_MS);
    this.batchSize = Math.min(options.count('batch_size', 1_000, 1), MOST_ROWS);
    this.tracking = options.textOr('tracking_column', 'id');
    this.key = options.textOr('primary_key_column', this.tracking);
    this.initial = options.optionalText('initial_offset');
    this.deletes = options.flag('delete_after_read', false);
    this.processed = options.optionalText('processed_column');
    this.payloadColumn = options.optionalText('payload_column');
    this.format = options.choice('payload_format', FORMATS, 'json');
    this.isSnakeCase = options.flag('snake_case_columns', false);
    this.hasMetadata = options.flag('include_metadata', true);
  }

  async read({ cursor }: SourcePosition, most: number): Promise<PostgresBatch> {
    const before = (cursor ?? {}) as Cursor;
    const limit = Math.max(1, Math.floor(Math.min(most, this.batchSize) / this.tables.length));
    const rows: ReadRow[] = [];
    let hasMore = false;
    for (const table of this.tables) {
      const found = await this.readTable(table, before[table] ?? null, limit);
      hasMore ||= found.length === limit;
      rows.push(...found);
    }
    const after = rows.map(({ table, tracking, key }) => [table, [tracking, key]] as const);
    const messages = rows.map((row) => this.message(row));
    return { messages, rows, cursor: { ...before, ...Object.fromEntries(after) }, hasMore };
  }

  async settle(batch: SourceBatch): Promise<void> {
    if (!this.marks) return;
    const { rows } = batch as PostgresBatch;
    for (const table of new Set(rows.map((row) => row.table))) {
      const keys = rows.filter((row) => row.table === table).map(({ key }) => key);
      const places = keys.map((_, index) => `$${index + 1}`).join(', ');
      const condition = `where ${quoted(this.key)} in (${places})`;
      const mark = `update ${quotedTable(table)} set ${quoted(this.processed ?? '')} = true ${condition}`;
      await this.connection.query(this.deletes ? `delete from ${quotedTable(table)} ${condition}` : mark, keys);
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private get marks(): boolean {
    return this.deletes || this.processed !== null;
  }

  private async readTable(table: string, after: [string, string] | null, limit: number): Promise<ReadRow[]> {
    const [tracking, key] = [`t.${quoted(this.tracking)}`, `t.${quoted(this.key)}`];
    const conditions = [`${tracking} is not null`];
    const values: unknown[] = [];
    if (this.processed !== null) conditions.push(`t.${quoted(this.processed)} is not true`);
    if (!this.marks && after !== null) {
      values.push(...after);
      conditions.push(`(${tracking}, ${key}) > ($1, $2)`);
    } else if (this.initial !== null) {
      values.push(this.initial);
      conditions.push(`${tracking} > $1`);
    }
    const rows = await this.connection.query<Row>(
      `select t.*, ${tracking}::text as ${TRACKING}, ${key}::text as ${KEY} from ${quotedTable(table)} t
        where ${conditions.join(' and ')} order by ${tracking}, ${key} limit ${limit}`,
      values,
    );
    return rows.map(({ [TRACKING]: at, [KEY]: rowKey, ...row }) => {
      return { table, tracking: String(at), key: String(rowKey), row };
    });
  }

  private message({ table, tracking, key, row }: ReadRow): SourceMessage {
    const hash = createHash('sha256')
      .update(JSON.stringify([table, tracking, key]))
      .digest('hex')
      .slice(0, 32);
    const id = `${this.context.idPrefix}${hash}`;
    if (this.payloadColumn !== null) return { id, ...this.column(row[this.payloadColumn]) };
    const data = this.isSnakeCase ? snakeCased(row) : row;
    const value = this.hasMetadata ? { table, operation: 'INSERT', read_at: new Date().toISOString(), data } : data;
    return { id, value, bytes: Buffer.from(JSON.stringify(value)) };
  }

  /** A column is the payload. Bytes arrive as base64. */
  private column(value: unknown): Pick<SourceMessage, 'value' | 'bytes'> {
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
    if (this.format === 'bytea') return { value, bytes: Buffer.from(text, 'base64') };
    return { value: this.format === 'json' ? parsed(value) : text, bytes: Buffer.from(text) };
  }
}

/** A text column may contain JSON. Other texts stay texts. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

const snakeCased = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase(), value]),
  );
