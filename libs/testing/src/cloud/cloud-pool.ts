import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import type { Installation } from '@libs/persistence/migrations';

/** What a suite needs to take over a cloud that another one has started. */
export interface IdleCloud {
  databaseUrl: string;
  directory: string;
  installation: Installation;
  mainApi: { pid: number; env: Record<string, string> };
  supervisor: { pid: number; env: Record<string, string> };
}

const ENDING = '.idle.json';

/**
 * Clouds of this run that no suite is using, by the settings they were started with. They lie in files, for suites run
 * in several workers and know nothing of each other; what is left at the end is ended with the run's PostgreSQL.
 */
export class CloudPool {
  private readonly folder: string;

  constructor(
    runDirectory: string,
    private readonly settings: Record<string, string>,
  ) {
    this.folder = join(runDirectory, 'clouds');
    mkdirSync(this.folder, { recursive: true });
  }

  /** Where a new cloud of this pool has its data. */
  newDirectory(): string {
    const directory = join(this.folder, randomUUID().slice(0, 8));
    mkdirSync(directory);
    return directory;
  }

  /** One that nobody else gets from now on; null where there is none. */
  take(): IdleCloud | null {
    for (const name of readdirSync(this.folder).filter((file) => file.endsWith(`-${this.kind}${ENDING}`))) {
      const taken = join(this.folder, `${name}.taken`);
      try {
        // Two workers may want the same one: the rename below picks one of them.
        renameSync(join(this.folder, name), taken);
        return JSON.parse(readFileSync(taken, 'utf8')) as IdleCloud;
      } catch {
        continue;
      }
    }
    return null;
  }

  give(cloud: IdleCloud): void {
    const name = join(this.folder, `${randomUUID()}-${this.kind}${ENDING}`);
    // Never half of it under its name.
    writeFileSync(`${name}.draft`, JSON.stringify(cloud), { mode: 0o600 });
    renameSync(`${name}.draft`, name);
  }

  private get kind(): string {
    const entries = Object.entries(this.settings).sort(([one], [other]) => (one < other ? -1 : 1));
    return createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 16);
  }
}
