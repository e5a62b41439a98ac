import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** How the file system refuses a write. */
export type WriteRefusal = 'EIO' | 'EROFS' | 'EACCES' | 'ENOSPC';

/**
 * Makes every write of processes of Node below a directory fail, while a test wants it: files, logs, renames and deletions, in each
 * process that loads the environment and in the processes that it starts. Programs in other languages and native modules write on.
 */
export class FailingWrites {
  private readonly control: string;

  /**
   * @param below Absolute path of the directory
   * @param beside Absolute path of a directory for the notes of the processes. It must not be below the first one.
   */
  constructor(
    private readonly below: string,
    private readonly beside: string,
  ) {
    this.control = join(beside, 'refuse');
    mkdirSync(beside, { recursive: true });
  }

  /** For the first process. */
  get environment(): { NODE_OPTIONS: string } {
    const preload = pathToFileURL(resolve('libs/testing/src/failing-writes/preload.mjs'));
    preload.search = String(new URLSearchParams({ below: this.below, control: this.control }));
    return { NODE_OPTIONS: `--import ${preload.href}` };
  }

  begin(code: WriteRefusal): void {
    this.forget();
    writeFileSync(this.control, code);
  }

  end(): void {
    rmSync(this.control, { force: true });
  }

  /** What was refused since the last `begin`, by process: one line each. */
  refused(): Map<number, string[]> {
    const files = this.notes().map((name): [number, string[]] => {
      const lines = readFileSync(join(this.beside, name), 'utf8').trimEnd().split('\n');
      return [Number(name.split('.')[1]), lines];
    });
    return new Map(files);
  }

  private forget(): void {
    for (const name of this.notes()) rmSync(join(this.beside, name), { force: true });
  }

  private notes(): string[] {
    return readdirSync(this.beside).filter((name) => /^refuse\.\d+$/.test(name));
  }
}
