import { randomBytes } from 'node:crypto';
import { Database, dataSourceOptions } from '@libs/persistence';
import { createTestDatabase, eventually, type TestDatabase } from '@libs/testing';
import { Schedule, ScheduleKeeper } from '@libs/workflow';
import { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { queueConnection } from '../src/bullmq-backend.js';
import { BullmqScheduleBell } from '../src/bullmq-schedule-bell.js';

const PERIOD_MS = 1000;
/** A ring may come a quarter of a period early, and the clock of a run is read a little after it began. */
const SHORTEST_GAP_MS = 700;
const RUNS = 5;

class Noted extends Schedule {
  constructor(
    keeper: ScheduleKeeper,
    private readonly note: () => void,
  ) {
    super(keeper, 'tidy', '1s');
    this.onModuleInit();
  }

  async run(): Promise<void> {
    this.note();
  }
}

/** A queue that rings, and a database that keeps the rows. */
class Ground {
  readonly failures: unknown[] = [];
  private readonly bells: BullmqScheduleBell[] = [];

  private constructor(
    private readonly testDatabase: TestDatabase,
    private readonly source: DataSource,
    private readonly queue: RunningQueue,
  ) {}

  static async open(startQueue: StartQueue): Promise<Ground> {
    const testDatabase = await createTestDatabase();
    const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
    const options = { databaseUrl: testDatabase.url, secretKeys, applicationName: 'test', poolSize: 4 };
    const source = new DataSource(dataSourceOptions(options));
    await source.initialize();
    return new Ground(testDatabase, source, await startQueue(testDatabase));
  }

  async close(): Promise<void> {
    await Promise.all(this.bells.map((bell) => bell.close()));
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

  bell(): BullmqScheduleBell {
    const bell = new BullmqScheduleBell(this.connection, (error) => this.failures.push(error));
    this.bells.push(bell);
    return bell;
  }
}

interface RunningQueue {
  url: string;
  stop: () => Promise<void>;
}
type StartQueue = (database: TestDatabase) => Promise<RunningQueue>;

/** What must hold wherever the queue is; a suite each, for the choice of BullMQ's backend is one of the whole process. */
export function ringsOneProcess(startQueue: StartQueue): void {
  let ground: Ground;

  beforeAll(async () => {
    ground = await Ground.open(startQueue);
  });
  afterAll(() => ground.close());

  it('and one run comes of it, period after period', () => oneRunAPeriod(ground));
  it('and those that are left go on when one has ended', () => theOthersGoOn(ground));
  it('and what the code knows no more is taken out of the queue, and rings nobody', () => theUnknownLeave(ground));
}

async function oneRunAPeriod(ground: Ground): Promise<void> {
  const runs: number[] = [];
  const keepers = [1, 2, 3].map(() => {
    // Looks once, at its start: every other run is rung for.
    const keeper = new ScheduleKeeper(ground.database, ground.bell(), { queue: 'one', lookMs: 3600_000 });
    new Noted(keeper, () => runs.push(Date.now()));
    return keeper;
  });
  for (const keeper of keepers) keeper.onApplicationBootstrap();

  await eventually('it ran some times', () => runs.length >= RUNS, 30_000);
  await Promise.all(keepers.map((keeper) => keeper.onModuleDestroy()));

  const gaps = runs.slice(1).map((at, index) => at - (runs[index] ?? 0));
  expect(gaps.filter((gap) => gap < SHORTEST_GAP_MS)).toEqual([]);
  expect(ground.failures).toEqual([]);
}

async function theOthersGoOn(ground: Ground): Promise<void> {
  const rung: string[] = [];
  const [first, second] = [ground.bell(), ground.bell()];
  first.start('two', beats('tidy'), () => rung.push('first'));
  second.start('two', beats('tidy'), () => rung.push('second'));
  await eventually('somebody is rung', () => rung.length > 0);

  await first.close();
  const before = rung.length;

  await eventually('the other is rung', () => rung.length >= before + 3, 20_000);
  expect(rung.slice(before)).not.toContain('first');
  await second.close();
}

async function theUnknownLeave(ground: Ground): Promise<void> {
  const [old, next] = [ground.bell(), ground.bell()];
  const oldRings: string[] = [];
  old.start('three', beats('gone', 'kept'), (name) => oldRings.push(name));
  await eventually('both are rung', () => new Set(oldRings).size === 2, 20_000);
  await old.close();
  const rings: string[] = [];
  next.start('three', beats('kept'), (name) => rings.push(name));
  const queue = new Queue('three', { connection: ground.connection });

  await eventually('it is out', async () => {
    const keys = (await queue.getJobSchedulers()).map(({ key }) => key);
    return keys.length === 1 && keys[0] === 'kept';
  });
  const before = rings.length;
  await eventually(
    'the other goes on',
    () => rings.slice(before).filter((name) => name === 'kept').length >= 4,
    20_000,
  );

  // One that was on its way when it was taken out is the last.
  expect(rings.slice(before + 2)).not.toContain('gone');
  expect(await queue.getJobCounts('failed', 'completed')).toEqual({ failed: 0, completed: 0 });
  await next.close();
  await queue.close();
}

const beats = (...names: string[]) => names.map((name) => ({ name, everyMs: PERIOD_MS }));
