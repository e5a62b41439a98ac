import { AsyncLocalStorage } from 'node:async_hooks';
import type { Writable } from 'node:stream';
import { OutcomeUnknown } from '@libs/domain';
import pg from 'pg';
import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import { together } from './together.js';

/**
 * Sends the statements of this turn of the event loop in one packet. Each packet wakes PostgreSQL, which costs more than a small
 * statement. `last` may add statements at the end of the packet.
 */
export function holdForThisTurn(client: PoolClient, last?: () => void): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => {
    last?.();
    stream.uncork();
  });
}

/** Whether the work has noted everything that it must, so that it may be committed. */
export type IsComplete = (notes: readonly string[]) => boolean;

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
  openSavepoints: number;
  /** Null: the code that opened the transaction writes after its work. */
  readonly isComplete: IsComplete | null;
  /** The answer to COMMIT, when COMMIT is sent before the work ends. */
  commit: Promise<pg.QueryResult> | null;
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
    const [result] = await together([CURRENT.run(open, work), begun]);
    const { command } = await (open.commit ?? client.query('commit')).catch(unlessRefused);
    if (command !== 'COMMIT') throw new TransactionMisuse('a refused statement was ignored, so nothing is committed');
    return result;
  } catch (error) {
    if (open.commit === null) await client.query('rollback').catch(() => undefined);
    else await open.commit.catch(unlessRefused);
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

/** The connection of a transaction that takes more statements. @throws TransactionMisuse after COMMIT was sent */
export function uncommitted({ client, commit }: OpenTransaction): PoolClient {
  if (commit === null) return client;
  throw new TransactionMisuse('a statement comes after the last ones of its transaction');
}

/**
 * Sends COMMIT at the end of this turn's packet, if the transaction is complete and nothing in `started` has failed. A write that
 * fails before its statement is sent leaves the transaction of PostgreSQL intact, so COMMIT would keep the other rows.
 */
export function commitWithThisTurn(open: OpenTransaction, started: readonly Promise<unknown>[]): void {
  let hasFailed = false;
  for (const one of started) one.catch(() => (hasFailed = true));
  holdForThisTurn(open.client, () => {
    const isLast = open.commit === null && open.openSavepoints === 0 && !hasFailed;
    if (!isLast || open.isComplete?.(open.notes) !== true) return;
    open.commit = open.client.query('commit');
    // `inTransaction` waits for the answer after the work.
    open.commit.catch(() => undefined);
  });
}
