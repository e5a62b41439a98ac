import { GuardedSocket } from '@libs/outbound';
import pg from 'pg';
import { BrokerError } from '../../../control/broker-error.js';
import type { PluginContext } from '../plugin.js';
import type { PostgresAddress } from './postgres-address.js';

const CONNECT_MS = 10_000;
const QUERY_MS = 60_000;
/** The server has ended the connection, or ends it. */
const LOST = /^(08|57P)/;
const LOST_STATE = '08006';
const INT8 = 20;
const BYTEA = 17;
const NUMBERS = [21, 23, 26, 700, 701];
const JSONS = [114, 3802];
const BOOL = 16;

/** One connection to a PostgreSQL server, opened by the guarded socket when it is needed. */
export class PostgresConnection {
  private client: pg.Client | null = null;

  constructor(
    private readonly address: PostgresAddress,
    private readonly context: Pick<PluginContext, 'allowPrivate'>,
  ) {}

  /** Rejects with the error of the server, or with BrokerError when it cannot be reached. */
  async query<T extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const client = await this.connected();
    try {
      return (await client.query<T>({ text, values: [...values], types: TYPES })).rows;
    } catch (error) {
      if (LOST.test(sqlState(error) ?? LOST_STATE)) await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private async connected(): Promise<pg.Client> {
    if (this.client) return this.client;
    const { allowPrivate } = this.context;
    const client = new pg.Client({
      ...this.address,
      stream: () => new GuardedSocket({ allowPrivate }),
      application_name: 'landlord-connector',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
    });
    const lost = (): void => {
      if (this.client === client) this.client = null;
    };
    client.on('error', lost).on('end', lost);
    try {
      await client.connect();
    } catch (error) {
      await client.end().catch(() => undefined);
      throw sqlState(error) === null ? new BrokerError(`the database cannot be reached: ${wordsOf(error)}`) : error;
    }
    this.client = client;
    return client;
  }
}

/** The SQLSTATE of an error of the server. Null for a failure of the connection. */
export function sqlState(error: unknown): string | null {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && severity !== undefined ? code : null;
}

/** A quoted name. Each part of `schema.table` is quoted alone. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quotedTable = (name: string): string => name.split('.').map(quoted).join('.');

const wordsOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || code || 'no connection';
};

/** Values for JSON: exact numbers where JavaScript has them, base64 for bytes, and the text of the server for all others. */
const TYPES = {
  getTypeParser: (oid: number) => (text: string) => {
    if (NUMBERS.includes(oid)) return Number(text);
    if (oid === INT8) return Number.isSafeInteger(Number(text)) ? Number(text) : text;
    if (oid === BOOL) return text === 't';
    if (JSONS.includes(oid)) return JSON.parse(text) as unknown;
    return oid === BYTEA ? Buffer.from(text.slice(2), 'hex').toString('base64') : text;
  },
};
