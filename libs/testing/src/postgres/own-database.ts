import { ensureDatabase, stopDatabase } from '@libs/launcher';
import { eventually } from '../basics/eventually.js';
import type { TestDatabase } from './create-test-database.js';
import { migrateTestSchema } from './migrate-test-schema.js';

/** A separate and durable PostgreSQL for one suite, which can be killed and recovered. */
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

  /** Kills the postmaster, then recovers like a launcher. Resolves when it is up again on the same port. */
  async crash(): Promise<void> {
    const { pid } = await ensureDatabase({ dataDir: this.dataDir });
    process.kill(pid, 'SIGKILL');
    await eventually('PostgreSQL is back where it was', async () => {
      // A connection can die during the query. Then the server is not up yet.
      const handle = await ensureDatabase({ dataDir: this.dataDir }).catch(() => null);
      return handle !== null && handle.pid !== pid && handle.url === this.url;
    });
  }

  async drop(): Promise<void> {
    await stopDatabase({ dataDir: this.dataDir });
  }
}
