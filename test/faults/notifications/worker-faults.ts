import { setTimeout as delay } from 'node:timers/promises';
import { type AppProcess, eventually, type SeededRandom, type TestCloud } from '@libs/testing';

const PATIENCE_MS = 60_000;

/** A kill, and the number of arrivals before it. */
interface Kill {
  after: number;
  of: 'a worker' | 'both workers' | 'PostgreSQL';
}

export interface KillOptions {
  workers: number;
  databases: number;
  /** Kills happen before this share of all expected arrivals. */
  before: number;
}

/** Kills main APIs and PostgreSQL during deliveries, and restarts them as a launcher does. */
export class WorkerFaults {
  /** Times from each kill to the restart. */
  readonly spells: { from: number; until: number; of: Kill['of'] }[] = [];

  constructor(
    private readonly cloud: TestCloud,
    private readonly workers: readonly AppProcess[],
    private readonly random: SeededRandom,
  ) {}

  /** Resolves after the last kill. `reached` returns the number of arrivals, out of `expected`. */
  async play(options: KillOptions, expected: number, reached: () => number): Promise<void> {
    for (const { after, of } of this.plan(options, expected)) {
      await eventually(`${after} have arrived`, () => reached() >= after, 20 * PATIENCE_MS);
      const from = Date.now();
      if (of === 'PostgreSQL') await this.cloud.crashDatabase();
      else await this.kill(of === 'both workers' ? this.workers : [this.random.pick(this.workers)]);
      this.spells.push({ from, until: Date.now(), of });
    }
  }

  private plan({ workers, databases, before }: KillOptions, expected: number): Kill[] {
    const of = (number: number): Kill['of'] => {
      if (number >= workers) return 'PostgreSQL';
      return number > 0 && this.random.next() < 0.25 ? 'both workers' : 'a worker';
    };
    const kills = Array.from({ length: workers + databases }, (_, number) => ({
      after: Math.ceil(expected * this.random.between(0.02, before)),
      of: of(number),
    }));
    return kills.sort((one, other) => one.after - other.after);
  }

  private async kill(apps: readonly AppProcess[]): Promise<void> {
    await Promise.all(apps.map((app) => app.kill()));
    await delay(this.random.between(0, 1_500));
    await Promise.all(apps.map((app) => eventually('the app runs again', () => start(app), PATIENCE_MS)));
  }
}

/** False after a failed start, for any reason: the next attempt may succeed. */
const start = (app: AppProcess): Promise<boolean> =>
  app.start().then(
    () => true,
    () => false,
  );
