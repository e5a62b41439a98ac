import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import type { Installation } from '@libs/persistence/migrations';

/** The data that a suite needs to take over a cloud from another suite. */
export interface IdleCloud {
  databaseUrl: string;
  directory: string;
  installation: Installation;
  mainApi: { pid: number; env: Record<string, string> };
  supervisor: { pid: number; env: Record<string, string> };
}

const ENDING = '.idle.json';

/**
 * Unused clouds of this run, by their settings. They are stored in files, because suites run in several workers without shared
 * memory. Remaining clouds are stopped together with the run's PostgreSQL.
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

  /** The data directory of a new cloud of this pool. */
  newDirectory(): string {
    const directory = join(this.folder, randomUUID().slice(0, 8));
    mkdirSync(directory);
    return directory;
  }

  /** An unused cloud that no other suite gets. Null when there is none. */
  take(): IdleCloud | null {
    for (const name of readdirSync(this.folder).filter((file) => file.endsWith(`-${this.kind}${ENDING}`))) {
      const takenFolder = join(this.folder, `${name}.taken`);
      try {
        // Two workers may want the same cloud. Only one rename succeeds.
        renameSync(join(this.folder, name), takenFolder);
        return JSON.parse(readFileSync(takenFolder, 'utf8')) as IdleCloud;
      } catch {
        continue;
      }
    }
    return null;
  }

  give(cloud: IdleCloud): void {
    const name = join(this.folder, `${randomUUID()}-${this.kind}${ENDING}`);
    // Writes a draft first, so that the file is never partial.
    writeFileSync(`${name}.draft`, JSON.stringify(cloud), { mode: 0o600 });
    renameSync(`${name}.draft`, name);
  }

  private get kind(): string {
    const entries = Object.entries(this.settings).sort(([one], [other]) => (one < other ? -1 : 1));
    return createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 16);
  }
}
