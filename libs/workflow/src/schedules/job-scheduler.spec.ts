import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Duration } from '@libs/domain';
import { JobTimer, SilentJobTimer, type JobPeriod } from '@libs/queue';
import { eventually, WorkflowBench } from '@libs/testing';
import { ScheduledJob, JobScheduler } from '../index.js';

/** A scheduler that looks when the test calls it, as one process of several. */
class SchedulerUnderTest extends JobScheduler {
  look(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

class Counted extends ScheduledJob {
  runs = 0;

  constructor(
    scheduler: JobScheduler,
    name: string,
    every: Duration = '1h',
    private readonly work: (stopping: AbortSignal) => Promise<void> = async () => undefined,
  ) {
    super(scheduler, name, every);
    this.onModuleInit();
  }

  async run(stopping: AbortSignal): Promise<void> {
    this.runs += 1;
    await this.work(stopping);
  }
}

describe('Without a queue a schedule', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.rows('delete from schedules'));

  const scheduler = (): SchedulerUnderTest =>
    new SchedulerUnderTest(bench.database, new SilentJobTimer(), { queue: 'none', lookMs: 20 });
  const processes = (count: number, every: Duration = '1h') =>
    Array.from({ length: count }, () => {
      const one = scheduler();
      return { scheduler: one, schedule: new Counted(one, 'tidy', every) };
    });
  const lookAll = (all: { scheduler: SchedulerUnderTest }[]) => Promise.all(all.map((one) => one.scheduler.look()));
  const sum = (all: { schedule: Counted }[]): number => all.reduce((total, { schedule }) => total + schedule.runs, 0);
  const passHours = (hours: number) =>
    bench.rows(
      `update schedules set due_at = due_at - make_interval(hours => $1), started_at = started_at - make_interval(hours => $1)`,
      [hours],
    );
  const row = async (name = 'tidy') =>
    (
      await bench.rows<any>(
        `select extract(epoch from due_at - now())::float8 as due_in, ended_at, last_error from schedules where name = $1`,
        [name],
      )
    )[0];

  it('runs once in a period, for any number of processes and looks', async () => {
    const all = processes(4);

    for (let look = 0; look < 3; look += 1) await lookAll(all);
    expect(sum(all)).toBe(1);
    await passHours(1);
    for (let look = 0; look < 3; look += 1) await lookAll(all);

    expect(sum(all)).toBe(2);
    expect(await row()).toMatchObject({ ended_at: expect.any(Date), last_error: null });
  });

  it('does not run before its time', async () => {
    const all = processes(2, '2h');

    await lookAll(all);
    await passHours(1);
    await lookAll(all);

    expect(sum(all)).toBe(1);
  });

  it('with a shorter period in a newer release is due by its new period at once', async () => {
    const [before] = processes(1, '24h');
    await before?.scheduler.look();
    await passHours(2);
    const after = processes(2, '1h');

    await lookAll(after);

    expect(sum(after)).toBe(1);
  });

  it('that fails runs again within 5 minutes, does not stop other schedules, and stores the error', async () => {
    const one = scheduler();
    let fails = true;
    const failing = new Counted(one, 'tidy', '24h', async () => {
      if (fails) throw new TypeError('no room');
    });
    const other = new Counted(one, 'other');

    await one.look();
    await one.look();

    expect([failing.runs, other.runs]).toEqual([1, 1]);
    const { due_in, last_error } = await row();
    expect(last_error).toContain('no room');
    expect(due_in).toBeGreaterThan(0);
    expect(due_in).toBeLessThanOrEqual(300);
    fails = false;
    await bench.rows(`update schedules set due_at = now() where name = 'tidy'`);
    await one.look();
    expect(failing.runs).toBe(2);
    expect((await row()).last_error).toBeNull();
  });

  it('ends before its process ends, and another process runs it again', async () => {
    const stopped = scheduler();
    let isEnded = false;
    const long = new Counted(stopped, 'tidy', '1h', async (stopping) => {
      await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      isEnded = true;
    });
    stopped.onApplicationBootstrap();
    await eventually('it runs', () => long.runs === 1);

    await stopped.onModuleDestroy();

    expect(isEnded).toBe(true);
    const [next] = processes(1);
    await next?.scheduler.look();
    expect(next?.schedule.runs).toBe(1);
  });

  it('that takes longer than its period does not change the result of the next run', async () => {
    let release: () => void = () => undefined;
    const slow = scheduler();
    const first = new Counted(slow, 'tidy', '1h', () => new Promise((resolve) => (release = resolve)));
    const looking = slow.look();
    await eventually('it runs', () => first.runs === 1);
    await passHours(2);
    const failing = scheduler();
    new Counted(failing, 'tidy', '1h', async () => {
      throw new TypeError('the second one failed');
    });
    await failing.look();

    release();
    await looking;

    expect((await row()).last_error).toContain('the second one failed');
  });

  it.each([
    ['warn', Object.assign(new Error('terminating connection'), { code: '57P01' })],
    ['error', new TypeError('no room')],
  ] as const)('that fails is told as %s', async (level, failure) => {
    const lines = { warn: jest.spyOn(Logger.prototype, 'warn'), error: jest.spyOn(Logger.prototype, 'error') };
    for (const spy of Object.values(lines)) spy.mockReturnValue(undefined);
    const failing = scheduler();
    new Counted(failing, 'tidy', '1h', () => Promise.reject(failure));

    await failing.look();

    const levels = Object.entries(lines).flatMap(([name, { mock }]) => mock.calls.map(() => name));
    jest.restoreAllMocks();
    expect(levels).toEqual([level]);
  });

  it('that fails with a long error stores the first thousand characters', async () => {
    const one = scheduler();
    new Counted(one, 'tidy', '24h', () => Promise.reject(new TypeError('x'.repeat(2_000))));

    await one.look();

    expect((await row()).last_error).toHaveLength(1000);
    expect((await row()).due_in).toBeGreaterThan(290);
  });

  it('has a unique name', () => {
    const one = scheduler();
    new Counted(one, 'tidy');

    expect(() => new Counted(one, 'tidy')).toThrow(TypeError);
  });
});

/** A queue whose wake-ups the test sends. */
class TestTimer extends JobTimer {
  readonly sendsWakeUps = true;
  queue = '';
  names: string[] = [];
  isStopped = false;
  send: (name: string) => void = () => undefined;

  start(queue: string, ticks: readonly JobPeriod[], wokenUp: (name: string) => void): void {
    this.queue = queue;
    this.names = ticks.map(({ name }) => name);
    this.send = wokenUp;
  }

  stop(): void {
    this.isStopped = true;
  }

  async close(): Promise<void> {
    return;
  }
}

describe('With a queue a schedule', () => {
  let bench: WorkflowBench;
  let timer: TestTimer;
  let one: SchedulerUnderTest;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.rows('delete from schedules');
    timer = new TestTimer();
    one = new SchedulerUnderTest(bench.database, timer, { queue: 'jobs', lookMs: 3600_000 });
  });
  afterEach(() => one.onModuleDestroy());

  const dueIn = (seconds: number) =>
    bench.rows(
      `insert into schedules (name, due_at, started_at)
       select name, now() + make_interval(secs => $1), now() from unnest('{hourly,daily}'::text[]) as name
       on conflict (name) do update set due_at = excluded.due_at, started_at = excluded.started_at`,
      [seconds],
    );

  it('runs at a wake-up, at most a quarter of its period or a minute early', async () => {
    const quick = new Counted(one, 'hourly', '100s');
    const daily = new Counted(one, 'daily', '24h');
    await dueIn(1_000);
    one.onApplicationBootstrap();
    expect([timer.queue, timer.names]).toEqual(['jobs', ['hourly', 'daily']]);
    const wakeUpAt = async (seconds: number): Promise<number[]> => {
      await dueIn(seconds);
      [quick.runs, daily.runs] = [0, 0];
      for (const name of timer.names) timer.send(name);
      await one.look();
      return [quick.runs, daily.runs];
    };

    expect(await wakeUpAt(60.7)).toEqual([0, 0]);
    expect(await wakeUpAt(58)).toEqual([0, 1]);
    expect(await wakeUpAt(27)).toEqual([0, 1]);
    expect(await wakeUpAt(23)).toEqual([1, 1]);
  });

  it('runs without a wake-up ten seconds after it was due', async () => {
    const hourly = new Counted(one, 'hourly', '1h');
    await dueIn(-9);
    await one.look();
    expect(hourly.runs).toBe(0);

    await dueIn(-11);
    await one.look();

    expect(hourly.runs).toBe(1);
  });

  it('counts each wake-up once', async () => {
    const hourly = new Counted(one, 'hourly', '1h');
    await dueIn(1_000);
    one.onApplicationBootstrap();
    timer.send('hourly');
    await one.look();
    await dueIn(10);

    await one.look();

    expect(hourly.runs).toBe(0);
  });

  it('has no wake-ups after the process has stopped', async () => {
    one.onApplicationBootstrap();

    await one.onModuleDestroy();

    expect(timer.isStopped).toBe(true);
  });
});
