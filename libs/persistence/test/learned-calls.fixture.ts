import { DataSource, type Logger } from 'typeorm';
import { Database, dataSourceOptions, Secrets } from '../src/index.js';
import { TYPEORM_CALLS } from './typeorm-calls.fixture.js';
import { ROWS } from './typeorm-rows.fixture.js';

/** A statement that TypeORM made for a method, and its values. */
export interface LearnedStatement {
  /** `Class.method`. */
  method: string;
  text: string;
  values: unknown[];
}

/** A call of a method: its statements in their order, and its result. */
export interface LearnedCall {
  method: string;
  statements: LearnedStatement[];
  result: unknown;
}

/** Remembers the statements of TypeORM. */
class StatementLog implements Logger {
  readonly statements: Omit<LearnedStatement, 'method'>[] = [];

  logQuery(text: string, values: unknown[] = []): void {
    this.statements.push({ text: text.replaceAll('"', ''), values });
  }

  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}

/** What a service throws after the writes of its request. */
class Refused extends Error {}

const nothing = async (): Promise<void> => {};

/** Calls the methods of `TYPEORM_CALLS` on a migrated database without rows. Every call is undone. */
export class TypeormCalls {
  readonly database: Database;

  private constructor(
    readonly source: DataSource,
    private readonly log: StatementLog,
  ) {
    this.database = new Database(source);
  }

  static async open(databaseUrl: string): Promise<TypeormCalls> {
    const log = new StatementLog();
    const options = dataSourceOptions({ databaseUrl, secretKeys: '', applicationName: 'test', poolSize: 2 });
    return new TypeormCalls(await new DataSource({ ...options, logger: log }).initialize(), log);
  }

  async close(): Promise<void> {
    await this.source.destroy();
  }

  /** Calls one method in a transaction that is refused after it. `before` and `after` run in the transaction, too. */
  async call(
    { owner, method }: { owner: string; method: string },
    {
      before = nothing,
      after = nothing,
    }: { before?: () => Promise<void>; after?: (result: unknown) => Promise<void> } = {},
  ): Promise<LearnedCall> {
    const { database } = this;
    const call = TYPEORM_CALLS.find((calls) => calls.owner === owner)?.calls[method];
    const learned: LearnedCall = { method: `${owner}.${method}`, statements: [], result: undefined };
    const work = database.transaction(async () => {
      await database.manager.query(ROWS);
      await before();
      const first = this.log.statements.length;
      learned.result = await call?.(database, SECRETS);
      learned.statements = this.log.statements
        .slice(first)
        .map((statement) => ({ method: learned.method, ...statement }));
      await after(learned.result);
      throw new Refused();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
    return learned;
  }

  /** Calls every method. */
  async all(): Promise<LearnedCall[]> {
    const calls: LearnedCall[] = [];
    for (const { owner, calls: methods } of TYPEORM_CALLS)
      for (const method of Object.keys(methods)) calls.push(await this.call({ owner, method }));
    return calls;
  }
}

const SECRETS = new Secrets(`k1:${Buffer.alloc(32).toString('base64')}`);

/** The statements that TypeORM makes for the methods of repositories. */
export async function learnedCalls(databaseUrl: string): Promise<LearnedCall[]> {
  const calls = await TypeormCalls.open(databaseUrl);
  try {
    return await calls.all();
  } finally {
    await calls.close();
  }
}
