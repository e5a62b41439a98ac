import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, dataSourceOptions, Secrets, type Channel } from '@libs/persistence';
import type { WakeUpQueue } from '@libs/queue';
import { Operations, OperationStore, Runner, WorkflowLog, type OperationRequest, type Workflow } from '@libs/workflow';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../postgres/create-test-database.js';

const ENOUGH_RUNS = 300;
/** Defined here, because the library loads BullMQ. */
const NO_QUEUE: WakeUpQueue = { wakeUp: () => undefined, depth: () => Promise.resolve(0) };

/** The process died. All its later writes are lost. */
export class Died extends Error {}

/** A store whose process may die. After that every write fails. */
class MortalStore extends OperationStore {
  isDead = false;

  override async hop(...args: Parameters<OperationStore['hop']>): ReturnType<OperationStore['hop']> {
    this.requireAlive();
    return super.hop(...args);
  }

  override async nap(...args: Parameters<OperationStore['nap']>): ReturnType<OperationStore['nap']> {
    this.requireAlive();
    return super.nap(...args);
  }

  override async retry(...args: Parameters<OperationStore['retry']>): Promise<void> {
    this.requireAlive();
    return super.retry(...args);
  }

  override async end(...args: Parameters<OperationStore['end']>): Promise<boolean> {
    this.requireAlive();
    return super.end(...args);
  }

  private requireAlive(): void {
    if (this.isDead) throw new Died('this process is dead');
  }
}

/** The action of a test around a step: before it, after it, or instead of it. */
export type Around = (step: string, run: () => Promise<unknown>, die: () => never) => Promise<unknown>;

/** Real rows and a real runner, without a queue and without waiting: naps end at once. */
export class WorkflowBench {
  private constructor(
    private readonly testDatabase: TestDatabase,
    private readonly source: DataSource,
    readonly database: Database,
    readonly secrets: Secrets,
    /** For files of the test. Deleted with the bench. */
    readonly directory: string,
  ) {}

  static async open(): Promise<WorkflowBench> {
    const testDatabase = await createTestDatabase();
    const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
    const options = { databaseUrl: testDatabase.url, secretKeys, applicationName: 'bench', poolSize: 5 };
    const source = new DataSource(dataSourceOptions(options));
    await source.initialize();
    const directory = await mkdtemp(join(tmpdir(), 'landlord-bench-'));
    return new WorkflowBench(testDatabase, source, new Database(source), new Secrets(secretKeys), directory);
  }

  /** URL of the database. */
  get url(): string {
    return this.testDatabase.url;
  }

  async close(): Promise<void> {
    await this.source.destroy();
    await this.testDatabase.drop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Listens to NOTIFY. `payloads` grows with each notification, until `end`. */
  async listen(channel: Channel): Promise<{ payloads: readonly string[]; end: () => Promise<void> }> {
    const payloads: string[] = [];
    const client = new pg.Client({ connectionString: this.url });
    client.on('notification', ({ payload }) => payloads.push(payload ?? ''));
    await client.connect();
    await client.query(`listen ${channel}`);
    return { payloads, end: () => client.end() };
  }

  get operations(): Operations {
    return new Operations(this.database, NO_QUEUE);
  }

  async start(request: Partial<OperationRequest> & Pick<OperationRequest, 'type'>): Promise<number> {
    return this.database.transaction(() => this.operations.start({ ...ANYBODYS, ...request }));
  }

  /** A runner of a new process. */
  runner(workflows: Workflow[], around: Around = (_step, run) => run()): Runner {
    const store = new MortalStore(this.database);
    const die = (): never => {
      store.isDead = true;
      throw new Died('kill -9');
    };
    const wrapped = workflows.map((workflow) => wrap(workflow, around, die));
    const byType = new Map(wrapped.map((workflow) => [workflow.type as string, workflow]));
    return new Runner(this.database, store, NO_QUEUE, byType, new SilentLog());
  }

  /** Runs until the operation has ended. `between` simulates the other participants. Returns the status. */
  async drive(id: number, runner: () => Runner, between: () => Promise<void> = async () => undefined): Promise<string> {
    for (let run = 0; run < ENOUGH_RUNS; run += 1) {
      const [row] = await this.rows<{ status: string }>('select status from operations where id = $1', [id]);
      if (row && !['pending', 'running'].includes(row.status)) return row.status;
      await between();
      await this.rows('update operations set wake_at = now(), lease_until = null where id = $1', [id]);
      await runner().run(id);
    }
    const rest = await this.rows('select step, reason, last_error, attempt from operations where id = $1', [id]);
    throw new TypeError(`does not end: ${JSON.stringify(rest)}`);
  }

  async rows<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.source.query<Row[]>(text, values);
  }
}

const ANYBODYS = {
  cell: 'local',
  tenantId: 1,
  divisionId: null,
  environmentId: null,
  deploymentId: null,
  authorId: null,
  apiKeyId: null,
  traceId: '0'.repeat(31) + '1',
};

function wrap(workflow: Workflow, around: Around, die: () => never): Workflow {
  const steps = Object.keys(workflow.table).map((name) => [
    name,
    (context: Parameters<Workflow['steps'][string]>[0]) =>
      around(name, async () => workflow.steps[name]?.call(workflow, context), die),
  ]);
  return Object.assign(Object.create(workflow) as Workflow, { steps: Object.fromEntries(steps) as Workflow['steps'] });
}

/** These suites expect failures, so they are not logged. */
class SilentLog extends WorkflowLog {
  override stepRan(): void {}
  override stepFailed(): void {}
  override refused(): void {}
  override failed(): void {}
  override ended(): void {}
  override unknownStep(): void {}
  override interrupted(): void {}
  override incident(): void {}
}
