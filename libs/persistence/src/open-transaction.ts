import { AsyncLocalStorage } from 'node:async_hooks';
import type { Writable } from 'node:stream';
import { OutcomeUnknown } from '@libs/domain';
import pg from 'pg';
import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import { pipelined } from './pipelined.js';

/**
 * Sends the statements of this turn of the event loop in one packet. Each packet wakes PostgreSQL, which costs more than a small
 * statement.
 */
export function holdForThisTurn(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

export interface OpenTransaction {
  /** The `Database` that opened the transaction. */
  readonly database: object;
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
  /** All savepoints of the transaction, for their names. */
  savepoints: number;
}

/**
 * One for all databases of the process. Before release 24, Node passes each store that was ever used to each promise, so a
 * store per database would slow down a process that opens many databases.
 */
export const CURRENT = new AsyncLocalStorage<OpenTransaction>();

/**
 * Sends BEGIN and the first statements of `work` in one packet. TypeORM would wait for the answer to BEGIN. It only has to know
 * that a transaction is open, so that it opens no other one.
 */
export async function inTransaction<T>(open: OpenTransaction, work: () => Promise<T>): Promise<T> {
  const { client } = open;
  const runner: { isTransactionActive: boolean } = open.runner;
  runner.isTransactionActive = true;
  holdForThisTurn(client);
  const begun = client.query('begin');
  try {
    const [result] = await pipelined([CURRENT.run(open, work), begun]);
    const { command } = await client.query('commit').catch(unlessRefused);
    if (command !== 'COMMIT') throw new TransactionMisuse('a refused statement was ignored, so nothing is committed');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    runner.isTransactionActive = false;
  }
}

/** PostgreSQL refused COMMIT, and so stored nothing, or nobody knows. */
function unlessRefused(error: unknown): never {
  throw error instanceof pg.DatabaseError && error.severity === 'ERROR' ? error : new OutcomeUnknown(error);
}

/**
 * Code opened a transaction inside another one, or code that needs a transaction runs without one. This is a bug, never a fault
 * of the caller.
 */
export class TransactionMisuse extends Error {}
