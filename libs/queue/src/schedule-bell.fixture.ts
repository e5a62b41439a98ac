import { randomBytes } from 'node:crypto';
import { Database, dataSourceOptions } from '@libs/persistence';
import { createTestDatabase, eventually, type TestDatabase } from '@libs/testing';
import { Schedule, ScheduleKeeper } from '@libs/workflow';
import { Queue } from 'bullmq';
import { DataSource } from 'typeorm';
import { queueConnection } from './bullmq-backend.js';
import { BullmqScheduleBell } from './bullmq-schedule-bell.js';

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

/** What must hold wherever the queue is; a suite each, for the choice of BullMQ's backend is one of the whole process. */
export function ringsOneProcess(
  startQueue: (database: TestDatabase) => Promise<{ url: string; stop: () => Promise<void> }>,
) {
  let database: TestDatabase;
  let source: DataSource;
  let queue: { url: string; stop: () => Promise<void> };
  const failures: unknown[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
    source = new DataSource(
      dataSourceOptions({ databaseUrl: database.url, secretKeys, applicationName: 'test', poolSize: 4 }),
    );
    await source.initialize();
    queue = await startQueue(database);
  });
  afterAll(async () => {
    await source.destroy();
    await queue.stop();
    await database.drop();
  });

  const bell = (): BullmqScheduleBell =>
    new BullmqScheduleBell(queueConnection({ url: queue.url }), (error) => failures.push(error));

  it('and one run comes of it, period after period', async () => {
    const runs: { process: number; at: number }[] = [];
    const keepers = [1, 2, 3].map((process) => {
      // Looks once, at its start: every other run is rung for.
      const keeper = new ScheduleKeeper(new Database(source), bell(), { queue: 'one', lookMs: 3600_000 });
      new Noted(keeper, () => runs.push({ process, at: Date.now() }));
      return keeper;
    });
    for (const keeper of keepers) keeper.onApplicationBootstrap();

    await eventually('it ran some times', () => runs.length >= RUNS, 30_000);
    await Promise.all(keepers.map((keeper) => keeper.onModuleDestroy()));

    const gaps = runs.slice(1).map(({ at }, index) => at - (runs[index]?.at ?? 0));
    expect(gaps.filter((gap) => gap < SHORTEST_GAP_MS)).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('and those that are left go on when one has ended', async () => {
    const rung: string[] = [];
    const [first, second] = [bell(), bell()];
    const beats = [{ name: 'tidy', everyMs: PERIOD_MS }];
    first.start('two', beats, () => rung.push('first'));
    second.start('two', beats, () => rung.push('second'));
    await eventually('somebody is rung', () => rung.length > 0);

    await first.stop();
    const before = rung.length;

    await eventually('the other is rung', () => rung.length >= before + 3, 20_000);
    expect(rung.slice(before)).not.toContain('first');
    await second.stop();
  });

  it('and what the code knows no more is taken out of the queue, and rings nobody', async () => {
    const old = bell();
    const beats = (...names: string[]) => names.map((name) => ({ name, everyMs: PERIOD_MS }));
    const oldRings: string[] = [];
    old.start('three', beats('gone', 'kept'), (name) => oldRings.push(name));
    await eventually('both are rung', () => new Set(oldRings).size === 2, 20_000);
    await old.stop();
    const rings: string[] = [];
    const next = bell();
    next.start('three', beats('kept'), (name) => rings.push(name));
    const looking = new Queue('three', { connection: queueConnection({ url: queue.url }) });

    await eventually('it is out', async () => {
      const keys = (await looking.getJobSchedulers()).map(({ key }) => key);
      return keys.length === 1 && keys[0] === 'kept';
    });
    // One that was on its way when it was taken out is the last.
    const before = rings.length;
    await eventually(
      'the other goes on',
      () => rings.slice(before).filter((name) => name === 'kept').length >= 4,
      20_000,
    );

    expect(rings.slice(before + 2)).not.toContain('gone');
    expect(await looking.getJobCounts('failed', 'completed')).toEqual({ failed: 0, completed: 0 });
    await next.stop();
    await looking.close();
  });
}
