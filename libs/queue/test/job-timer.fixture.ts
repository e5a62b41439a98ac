import { randomBytes } from 'node:crypto';
import { Database, dataSourceOptions } from '@libs/persistence';
import { createTestDatabase, eventually, type TestDatabase } from '@libs/testing';
import { ScheduledJob, JobScheduler } from '@libs/workflow';
import { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { queueConnection } from '../src/bullmq-backend.js';
import { BullmqJobTimer } from '../src/bullmq-job-timer.js';

const PERIOD_MS = 1000;
/** A wake-up may be a quarter of a period early, and the time of a run is read shortly after its start. */
const SHORTEST_GAP_MS = 700;
const RUNS = 5;

class Noted extends ScheduledJob {
  constructor(
    scheduler: JobScheduler,
    private readonly note: () => void,
  ) {
    super(scheduler, 'tidy', '1s');
    this.onModuleInit();
  }

  async run(): Promise<void> {
    this.note();
  }
}

/** A queue that sends wake-ups, and a database with the rows. */
class Setup {
  readonly failures: unknown[] = [];
  private readonly timers: BullmqJobTimer[] = [];

  private constructor(
    private readonly testDatabase: TestDatabase,
    private readonly source: DataSource,
    private readonly queue: RunningQueue,
  ) {}

  static async open(startQueue: StartQueue): Promise<Setup> {
    const testDatabase = await createTestDatabase();
    const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
    const options = { databaseUrl: testDatabase.url, secretKeys, applicationName: 'test', poolSize: 4 };
    const source = new DataSource(dataSourceOptions(options));
    await source.initialize();
    return new Setup(testDatabase, source, await startQueue(testDatabase));
  }

  async close(): Promise<void> {
    await Promise.all(this.timers.map((timer) => timer.close()));
    await this.source.destroy();
    await this.queue.stop();
    await this.testDatabase.drop();
  }

  get database(): Database {
    return new Database(this.source);
  }

  get connection(): ReturnType<typeof queueConnection> {
    return queueConnection({ url: this.queue.url });
  }

  timer(): BullmqJobTimer {
    const timer = new BullmqJobTimer(this.connection, (error) => this.failures.push(error));
    this.timers.push(timer);
    return timer;
  }
}

interface RunningQueue {
  url: string;
  stop: () => Promise<void>;
}
type StartQueue = (database: TestDatabase) => Promise<RunningQueue>;

/**
 * The tests for each kind of queue. Each kind has its own suite, because BullMQ's backend is selected for the whole
 * process.
 */
export function wakesOneProcess(startQueue: StartQueue): void {
  let setup: Setup;

  beforeAll(async () => {
    setup = await Setup.open(startQueue);
  });
  afterAll(() => setup.close());

  it('runs once in each period, with three processes', () => oneRunAPeriod(setup));
  it('runs in the other process after one has stopped', () => theOthersGoOn(setup));
  it('is removed from the queue when the code no longer contains it', () => theUnknownLeave(setup));
}

async function oneRunAPeriod(setup: Setup): Promise<void> {
  const runs: number[] = [];
  const schedulers = [1, 2, 3].map(() => {
    // Reads the rows once, at its start. A wake-up triggers every other run.
    const scheduler = new JobScheduler(setup.database, setup.timer(), { queue: 'one', lookMs: 3600_000 });
    new Noted(scheduler, () => runs.push(Date.now()));
    return scheduler;
  });
  for (const scheduler of schedulers) scheduler.onApplicationBootstrap();

  // A failure of the queue ends the wait, so that the test shows the failure instead of a time limit.
  await eventually('it ran some times', () => runs.length >= RUNS || setup.failures.length > 0, 30_000);
  await Promise.all(schedulers.map((scheduler) => scheduler.onModuleDestroy()));

  const gaps = runs.slice(1).map((at, index) => at - (runs[index] ?? 0));
  expect(gaps.filter((gap) => gap < SHORTEST_GAP_MS)).toEqual([]);
  expect(setup.failures).toEqual([]);
}

async function theOthersGoOn(setup: Setup): Promise<void> {
  const wokenProcesses: string[] = [];
  const [first, second] = [setup.timer(), setup.timer()];
  first.start('two', periods('tidy'), () => wokenProcesses.push('first'));
  second.start('two', periods('tidy'), () => wokenProcesses.push('second'));
  await eventually('one process is woken up', () => wokenProcesses.length > 0);

  await first.close();
  const before = wokenProcesses.length;

  await eventually('the other process is woken up', () => wokenProcesses.length >= before + 3, 20_000);
  expect(wokenProcesses.slice(before)).not.toContain('first');
  await second.close();
}

async function theUnknownLeave(setup: Setup): Promise<void> {
  const [old, next] = [setup.timer(), setup.timer()];
  const oldWakeUps: string[] = [];
  old.start('three', periods('gone', 'kept'), (name) => oldWakeUps.push(name));
  await eventually('both schedules were due', () => new Set(oldWakeUps).size === 2, 20_000);
  await old.close();
  const wakeUps: string[] = [];
  next.start('three', periods('kept'), (name) => wakeUps.push(name));
  const queue = new Queue('three', { connection: setup.connection });

  await eventually('it is out', async () => {
    const keys = (await queue.getJobSchedulers()).map(({ key }) => key);
    return keys.length === 1 && keys[0] === 'kept';
  });
  const before = wakeUps.length;
  await eventually(
    'the other goes on',
    () => wakeUps.slice(before).filter((name) => name === 'kept').length >= 4,
    20_000,
  );

  // A job that was already created at the removal is the last one.
  expect(wakeUps.slice(before + 2)).not.toContain('gone');
  expect(await queue.getJobCounts('failed', 'completed')).toEqual({ failed: 0, completed: 0 });
  await next.close();
  await queue.close();
}

const periods = (...names: string[]) => names.map((name) => ({ name, everyMs: PERIOD_MS }));
