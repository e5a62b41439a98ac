import { ensureDatabase, stopDatabase } from '@libs/launcher';
import { eventually } from '../eventually.js';
import type { TestDatabase } from './create-test-database.js';
import { migrateTestSchema } from './migrate-test-schema.js';

/** A PostgreSQL of one suite's own, with everything that makes it durable, to be killed and recovered. */
export class OwnDatabase implements TestDatabase {
  private constructor(
    readonly url: string,
    private readonly dataDir: string,
  ) {}

  static async start(dataDir: string): Promise<OwnDatabase> {
    const { url } = await ensureDatabase({ dataDir });
    await migrateTestSchema(url);
    return new OwnDatabase(url, dataDir);
  }

  /** kill -9 of the postmaster, then the recovery that a launcher does. Answers once it is back, on the same port. */
  async crash(): Promise<void> {
    const { pid } = await ensureDatabase({ dataDir: this.dataDir });
    process.kill(pid, 'SIGKILL');
    await eventually('PostgreSQL is back where it was', async () => {
      // A connection may die under the question itself: then it is not back yet.
      const handle = await ensureDatabase({ dataDir: this.dataDir }).catch(() => null);
      return handle !== null && handle.pid !== pid && handle.url === this.url;
    });
  }

  async drop(): Promise<void> {
    await stopDatabase({ dataDir: this.dataDir });
  }
}
