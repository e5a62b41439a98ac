import { AsyncLocalStorage } from 'node:async_hooks';
import type { Writable } from 'node:stream';
import pg, { type PoolClient } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Gathering, MOST_INPUTS, type NumberedRow } from './gathering.js';
import { together } from './together.js';

/** A statement that PostgreSQL plans once per connection. The name is unique in the process. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const named = new Map<string, string>();

/** Declares a prepared statement. A second declaration of the name with another text is a programming error. */
export function statement(name: string, text: string): Statement {
  const known = named.get(name);
  if (known !== undefined && known !== text) throw new TypeError(`two statements are named ${name}`);
  named.set(name, text);
  return { name, text };
}

/** The text of a declared statement. Tests compare plans and costs with it. */
export const statementText = (name: string): string | undefined => named.get(name);

/** All declared statements by name. Tests read all of them. */
export const declaredStatements = (): ReadonlyMap<string, string> => named;

/**
 * Sends the statements of this turn of the event loop in one packet. Each packet wakes PostgreSQL, which costs more than a small
 * statement.
 */
function holdForThisTurn(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

interface OpenTransaction {
  readonly database: Database;
  /** A transaction of another database around this one. */
  readonly outer: OpenTransaction | undefined;
  readonly runner: QueryRunner;
  readonly client: PoolClient;
  /**
   * Callbacks to run after the commit, and notes for the code that opened the transaction. A savepoint that rolls back removes
   * the callbacks and notes that were added after it.
   */
  afterCommit: (() => void)[];
  notes: string[];
  savepoints: number;
}

/**
 * One for all databases of the process. Before release 24, Node passes each store that was ever used to each promise, so a
 * store per database would slow down a process that opens many databases.
 */
const CURRENT = new AsyncLocalStorage<OpenTransaction>();

/**
 * Sends BEGIN and the first statements of `work` in one packet. TypeORM would wait for the answer to BEGIN. It only has to know
 * that a transaction is open, so that it opens no other one.
 */
async function inTransaction<T>(open: OpenTransaction, work: () => Promise<T>): Promise<T> {
  const { client } = open;
  const runner: { isTransactionActive: boolean } = open.runner;
  runner.isTransactionActive = true;
  holdForThisTurn(client);
  const begun = client.query('begin');
  try {
    const [result] = await together([CURRENT.run(open, work), begun]);
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new TransactionMisuse('a refused statement was ignored, so nothing is committed');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    runner.isTransactionActive = false;
  }
}

/**
 * Code opened a transaction inside another one, or code that needs a transaction runs without one. This is a bug, never a fault
 * of the caller.
 */
export class TransactionMisuse extends Error {}

/**
 * The only access to PostgreSQL. The asynchronous context carries the transaction. All code that runs inside `transaction()`
 * uses its connection, by statement or by entity manager, without passing it as a parameter.
 */
export class Database {
  private readonly gatherings = new Map<string, Gathering>();

  constructor(readonly dataSource: DataSource) {}

  /** Runs a prepared statement on the open transaction, or on any connection of the pool. */
  async query<Row>(prepared: Statement, values: unknown[] = []): Promise<Row[]> {
    const result = await this.send(prepared, values);
    return result.rows as Row[];
  }

  /**
   * Runs a statement for many inputs: each parameter is an array, and each row has the number of its input as `n`. Calls of
   * one turn of the event loop share the statement. Resolves with the row of these values, or undefined. Inside a transaction
   * the statement runs alone, because it must see the writes of the transaction. `most`: inputs of one statement. A statement
   * with large rows has fewer.
   */
  async gathered<Row extends NumberedRow>(
    prepared: Statement,
    values: readonly unknown[],
    most = MOST_INPUTS,
  ): Promise<Row | undefined> {
    if (this.isInTransaction) {
      const alone = values.map((value) => [value]);
      return (await this.query<Row>(prepared, alone))[0];
    }
    const gathering =
      this.gatherings.get(prepared.name) ?? new Gathering((columns) => this.sendToPool(prepared, columns), most);
    this.gatherings.set(prepared.name, gathering);
    return (await gathering.run(values)) as Row | undefined;
  }

  /** Runs a statement that writes. Returns the number of affected rows. */
  async execute(prepared: Statement, values: unknown[] = []): Promise<number> {
    const result = await this.send(prepared, values);
    return result.rowCount ?? 0;
  }

  /** The entity manager of the open transaction, or the manager that takes a connection per call. */
  get manager(): EntityManager {
    return this.open?.runner.manager ?? this.dataSource.manager;
  }

  get isInTransaction(): boolean {
    return this.open !== undefined;
  }

  /**
   * Runs `work` in one transaction. Commits when `work` resolves, rolls back when it rejects. The interceptor of write routes
   * and the workers open transactions; services never do. Callbacks of `afterCommit` run after the commit succeeded.
   * @throws TransactionMisuse inside another transaction
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.isInTransaction) throw new TransactionMisuse('a transaction is already open');
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as PoolClient;
    const context = { database: this, outer: CURRENT.getStore() };
    const open: OpenTransaction = { ...context, runner, client, afterCommit: [], notes: [], savepoints: 0 };
    try {
      const result = await inTransaction(open, work);
      for (const callback of open.afterCommit) callback();
      return result;
    } finally {
      await runner.release();
    }
  }

  /** Undoes the changes of `work` when it rejects. The transaction stays usable. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const { client, open } = this.require();
    const name = `s${(open.savepoints += 1)}`;
    const [callbacks, notes] = [open.afterCommit.length, open.notes.length];
    await client.query(`savepoint ${name}`);
    try {
      const result = await work();
      await client.query(`release savepoint ${name}`);
      return result;
    } catch (error) {
      await client.query(`rollback to savepoint ${name}`);
      open.afterCommit.length = callbacks;
      open.notes.length = notes;
      throw error;
    }
  }

  /** Runs `callback` only after a commit. Wake-ups belong here. Without an open transaction the callback runs immediately. */
  afterCommit(callback: () => void): void {
    const { open } = this;
    if (open) open.afterCommit.push(callback);
    else callback();
  }

  /** Adds a note to the open transaction: what the code recorded in it. */
  note(text: string): void {
    this.open?.notes.push(text);
  }

  /** The notes of the open transaction. */
  notes(): readonly string[] {
    return this.open?.notes ?? [];
  }

  private send({ name, text }: Statement, values: unknown[]): Promise<pg.QueryResult> {
    const client = this.open?.client;
    if (!client) return this.pool.query({ name, text, values });
    holdForThisTurn(client);
    return client.query({ name, text, values });
  }

  private async sendToPool({ name, text }: Statement, values: unknown[]): Promise<NumberedRow[]> {
    const { rows } = await this.pool.query<NumberedRow>({ name, text, values });
    return rows;
  }

  /** The open transaction of this database. */
  private get open(): OpenTransaction | undefined {
    let open = CURRENT.getStore();
    while (open && open.database !== this) open = open.outer;
    return open;
  }

  private require(): { client: PoolClient; open: OpenTransaction } {
    const { open } = this;
    if (!open) throw new TransactionMisuse('no transaction is open');
    return { client: open.client, open };
  }

  private get pool(): pg.Pool {
    return (this.dataSource.driver as PostgresDriver).master as pg.Pool;
  }
}
