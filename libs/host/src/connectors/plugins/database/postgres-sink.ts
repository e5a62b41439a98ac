import { crc32 } from 'node:zlib';
import { BrokerError } from '../../../control/broker-error.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { MessageRefused } from '../../delivery/message-refused.js';
import { partsOf, sendApart } from '../../delivery/send-apart.js';
import { mapped, valueOf } from '../payloads.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome, PluginContext, SinkPlugin } from '../plugin.js';
import { postgresAddress } from './postgres-address.js';
import { PostgresConnection, quoted, quotedTable, sqlState } from './postgres-connection.js';

const FORMATS = ['bytea', 'json', 'text'] as const;
type Format = (typeof FORMATS)[number];
const COLUMN_TYPES: Record<Format, string> = { bytea: 'bytea', json: 'jsonb', text: 'text' };
/** A statement has at most 65,535 parameters. */
const MOST_ROWS = 10_000;
/** Invalid data, and violated constraints: about the row. All other errors are about the table or the server. */
const OF_THE_ROW = /^(22|23|54)/;

/** The columns of a message, in the order of a new table. */
const COLUMNS: Record<string, { type: string; value: (message: ConnectorMessage) => unknown }> = {
  id: { type: 'text primary key', value: ({ id }) => id },
  stream: { type: 'text not null', value: ({ stream }) => stream },
  topic: { type: 'text not null', value: ({ topic }) => topic },
  received_at: { type: 'timestamptz not null', value: ({ takenAtMs }) => new Date(takenAtMs).toISOString() },
  checksum: { type: 'bigint not null', value: ({ payload }) => crc32(payload) },
};

const COLUMNS_OF_TABLE = `
  select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`;
const IS_ID_UNIQUE = `
  select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
   where i.indrelid = to_regclass($1) and i.indisunique and i.indnkeyatts = 1 and i.indpred is null and a.attname = 'id'`;

/**
 * Adds messages to a table: one row for each message, several rows in a statement. A column of a message that the table lacks
 * is left out. A unique column `id` makes repeated messages harmless.
 */
export class PostgresSink implements SinkPlugin {
  private readonly connection: PostgresConnection;
  private readonly table: string;
  private readonly batchSize: number;
  private readonly format: Format;
  private readonly creates: boolean;
  private readonly wanted: readonly string[];
  private readonly isVerbose: boolean;
  private columns: readonly string[] = [];
  private isIdUnique = false;

  constructor(
    options: PluginOptions,
    private readonly context: PluginContext,
  ) {
    this.connection = new PostgresConnection(postgresAddress(options.text('connection_string')), context);
    this.table = quotedTable(options.text('target_table'));
    this.batchSize = Math.min(options.count('batch_size', 100, 1), MOST_ROWS);
    this.format = options.choice('payload_format', FORMATS, 'bytea');
    this.creates = options.flag('auto_create_table', false);
    this.isVerbose = options.flag('verbose_logging', false);
    const metadata = options.flag('include_metadata', true) ? ['stream', 'topic', 'received_at'] : [];
    this.wanted = ['id', ...metadata, ...(options.flag('include_checksum', true) ? ['checksum'] : [])];
  }

  async open(): Promise<void> {
    let names = await this.columnsOfTable();
    if (names.length === 0 && this.creates) {
      await this.connection.query(`create table if not exists ${this.table} (${this.definition()})`);
      names = await this.columnsOfTable();
    }
    if (names.length === 0) throw new BrokerError(`the table ${this.table} does not exist`);
    if (!names.includes('payload')) throw new BrokerError(`the table ${this.table} has no column payload`);
    this.columns = this.wanted.filter((name) => names.includes(name));
    this.isIdUnique = (await this.connection.query(IS_ID_UNIQUE, [this.table])).length > 0;
  }

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    for (const part of partsOf(messages, this.batchSize)) {
      const rows = await mapped(part, (message) => this.row(message), outcome);
      const values = new Map(rows.map(({ message, value }) => [message, value]));
      const known = rows.map(({ message }) => message);
      const insert = (some: readonly ConnectorMessage[]): Promise<void> =>
        this.insert(some.map((message) => values.get(message) ?? []));
      await sendApart(known, insert, outcome, signal);
    }
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private async columnsOfTable(): Promise<string[]> {
    return (await this.connection.query<{ name: string }>(COLUMNS_OF_TABLE, [this.table])).map(({ name }) => name);
  }

  private definition(): string {
    const columns = this.wanted.map((name) => `${quoted(name)} ${COLUMNS[name]?.type}`);
    return [...columns, `payload ${COLUMN_TYPES[this.format]} not null`].join(', ');
  }

  private row(message: ConnectorMessage): unknown[] {
    return [...this.columns.map((name) => COLUMNS[name]?.value(message)), this.payload(message)];
  }

  private payload(message: ConnectorMessage): unknown {
    if (this.format === 'json') return JSON.stringify(valueOf(message));
    return this.format === 'text' ? message.payload.toString('utf8') : message.payload;
  }

  private async insert(rows: readonly unknown[][]): Promise<void> {
    const names = [...this.columns, 'payload'].map(quoted);
    const places = rows.map((row, at) => `(${row.map((_, index) => `$${at * row.length + index + 1}`).join(', ')})`);
    const repeat = this.isIdUnique && this.columns.includes('id') ? ' on conflict (id) do nothing' : '';
    const statement = `insert into ${this.table} (${names.join(', ')}) values ${places.join(', ')}${repeat}`;
    try {
      await this.connection.query(statement, rows.flat());
    } catch (error) {
      if (OF_THE_ROW.test(sqlState(error) ?? '')) throw new MessageRefused(`the table: ${(error as Error).message}`);
      throw error;
    }
    if (this.isVerbose) this.context.log.info('rows added', { rows: rows.length });
  }
}
