import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordLocks } from './record-locks.js';

/**
 * Records in directories, one JSON file each, written atomically. Supervisors and an operator's commands write them
 * concurrently. So every change reads, decides and writes under a lock of its record. Reads need no lock.
 */
export class RecordFiles {
  private readonly locks: RecordLocks;

  constructor(private readonly root: string) {
    this.locks = new RecordLocks(join(root, 'locks'));
  }

  /**
   * Replaces the record with the result of `decide`: another record, or null for none. The same object is not written. Returns
   * the remaining record. Changes nothing when `decide` throws.
   */
  change<R>(
    directory: string,
    name: string,
    decide: (record: R | null) => R | null | Promise<R | null>,
  ): Promise<R | null> {
    const path = this.path(directory, name);
    return this.locks.run(`${directory} ${name}`, async (lock) => {
      const record = await this.find<R>(directory, name);
      const next = await decide(record);
      if (next !== record) await (next === null ? lock.remove(path) : lock.replace(path, JSON.stringify(next)));
      return next;
    });
  }

  async find<R>(directory: string, name: string): Promise<R | null> {
    try {
      return JSON.parse(await readFile(this.path(directory, name), 'utf8')) as R;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** The names of the records in the directory. */
  async names(directory: string): Promise<string[]> {
    const files = await readdir(join(this.root, directory)).catch(() => []);
    return files.filter((file) => file.endsWith('.json')).map((file) => decodeURIComponent(file.slice(0, -5)));
  }

  private path(directory: string, name: string): string {
    return join(this.root, directory, `${encodeURIComponent(name)}.json`);
  }
}
