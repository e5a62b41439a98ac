import type { Duration } from '@libs/domain';
import { SilentJobTimer } from '@libs/queue';
import { eventually, WorkflowBench } from '@libs/testing';
import { ScheduledJob, JobScheduler } from '../index.js';

/** A keeper that looks when the test calls it, as one process of several. */
class ReconcilerUnderTest extends JobScheduler {
  look(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

class Counted extends ScheduledJob {
  runs = 0;

  constructor(
    reconciler: JobScheduler,
    name: string,
    every: Duration = '1h',
    private readonly work: (stopping: AbortSignal) => Promise<void> = async () => undefined,
  ) {
    super(reconciler, name, every);
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

  const reconciler = (): ReconcilerUnderTest =>
    new ReconcilerUnderTest(bench.database, new SilentJobTimer(), { queue: 'none', lookMs: 20 });
  const processes = (count: number, every: Duration = '1h') =>
    Array.from({ length: count }, () => {
      const one = reconciler();
      return { reconciler: one, schedule: new Counted(one, 'tidy', every) };
    });
  const lookAll = (all: { reconciler: ReconcilerUnderTest }[]) => Promise.all(all.map((one) => one.reconciler.look()));
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
    await before?.reconciler.look();
    await passHours(2);
    const after = processes(2, '1h');

    await lookAll(after);

    expect(sum(after)).toBe(1);
  });

  it('that fails runs again within 5 minutes, does not stop other schedules, and stores the error', async () => {
    const one = reconciler();
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
    const stopped = reconciler();
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
    await next?.reconciler.look();
    expect(next?.schedule.runs).toBe(1);
  });

  it('that takes longer than its period does not change the result of the next run', async () => {
    let release: () => void = () => undefined;
    const slow = reconciler();
    const first = new Counted(slow, 'tidy', '1h', () => new Promise((resolve) => (release = resolve)));
    const looking = slow.look();
    await eventually('it runs', () => first.runs === 1);
    await passHours(2);
    const failing = reconciler();
    new Counted(failing, 'tidy', '1h', async () => {
      throw new TypeError('the second one failed');
    });
    await failing.look();

    release();
    await looking;

    expect((await row()).last_error).toContain('the second one failed');
  });

  it('has a unique name', () => {
    const one = reconciler();
    new Counted(one, 'tidy');

    expect(() => new Counted(one, 'tidy')).toThrow(TypeError);
  });
});
