import type pg from 'pg';
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { StatementBatcher, MOST_INPUTS, type NumberedRow } from './statement-batcher.js';
import {
  CURRENT,
  holdForThisTurn,
  inTransaction,
  TransactionMisuse,
  type OpenTransaction,
} from './open-transaction.js';
import { WritableDatabase } from './writable-database.js';

/** A statement that PostgreSQL plans once per connection. The name is unique in the process. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const named = new Map<string, string>();

/** Declares a prepared statement. A second declaration of the name with another text is a programming error. */
export function statement(name: string, text: string): Statement {
  const declaredText = named.get(name);
  if (declaredText !== undefined && declaredText !== text) throw new TypeError(`two statements are named ${name}`);
  named.set(name, text);
  return { name, text };
}

/** The text of a declared statement. Tests compare plans and costs with it. */
export const statementText = (name: string): string | undefined => named.get(name);

/** All declared statements by name. Tests read all of them. */
export const declaredStatements = (): ReadonlyMap<string, string> => named;

/**
 * The only access to PostgreSQL. The asynchronous context carries the transaction. All code that runs inside `transaction()`
 * uses its connection, by statement or by entity manager, without passing it as a parameter.
 */
export class Database {
  private readonly batchers = new Map<string, StatementBatcher>();
  private readonly writable = new WritableDatabase(() => this.pool);

  constructor(readonly dataSource: DataSource) {
    // TypeORM sends its statements itself.
    dataSource.subscribers.push({ afterQuery: ({ error }) => this.writable.note(error) });
  }

  /** Runs a prepared statement on the open transaction, or on any connection of the pool. */
  async query<Row>(prepared: Statement, values: unknown[] = []): Promise<Row[]> {
    const result = await this.send(prepared, values);
    return result.rows as Row[];
  }

  /** Runs a prepared statement like `query`. Returns the first row, or null when there is none. */
  async first<Row>(prepared: Statement, values: unknown[] = []): Promise<Row | null> {
    const [row] = await this.query<Row>(prepared, values);
    return row ?? null;
  }

  /**
   * Runs a statement for many inputs: each parameter is an array, and each row has the number of its input as `n`. Calls of
   * one turn of the event loop share the statement. Resolves with the row of these values, or undefined. Inside a transaction
   * the statement runs alone, because it must see the writes of the transaction. `most`: inputs of one statement. A statement
   * with large rows has fewer.
   */
  async batched<Row extends NumberedRow>(
    prepared: Statement,
    values: readonly unknown[],
    most = MOST_INPUTS,
  ): Promise<Row | undefined> {
    if (this.isInTransaction) {
      const alone = values.map((value) => [value]);
      return (await this.query<Row>(prepared, alone))[0];
    }
    const batcher =
      this.batchers.get(prepared.name) ?? new StatementBatcher((columns) => this.sendToPool(prepared, columns), most);
    this.batchers.set(prepared.name, batcher);
    return (await batcher.run(values)) as Row | undefined;
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

  /**
   * The rows of one table by its entity, in the open transaction, or on a connection per call. A condition without a value is
   * refused. An entity that is read must be registered in `dataSourceOptions`.
   */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
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
    } catch (error) {
      this.writable.note(error);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** Undoes the changes of `work` when it rejects. The transaction stays usable. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const open = this.open;
    if (!open) throw new TransactionMisuse('no transaction is open');
    const { client } = open;
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

  /** Why PostgreSQL cannot write, after a statement of this process failed for this reason, or null. */
  writeProblem(): Promise<string | null> {
    return this.writable.problem();
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
    const { open } = this;
    if (!open) return this.watched(this.pool.query({ name, text, values }));
    holdForThisTurn(open.client);
    return open.client.query({ name, text, values });
  }

  private async sendToPool({ name, text }: Statement, values: unknown[]): Promise<NumberedRow[]> {
    const { rows } = await this.watched(this.pool.query<NumberedRow>({ name, text, values }));
    return rows;
  }

  /** A statement outside a transaction. A transaction reports its failure itself. */
  private watched<T>(query: Promise<T>): Promise<T> {
    query.catch((error: unknown) => this.writable.note(error));
    return query;
  }

  /** The open transaction of this database. */
  private get open(): OpenTransaction | undefined {
    let open = CURRENT.getStore();
    while (open && open.database !== this) open = open.outer;
    return open;
  }

  private get pool(): pg.Pool {
    return (this.dataSource.driver as PostgresDriver).master as pg.Pool;
  }
}
