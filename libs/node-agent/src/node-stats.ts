import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Turns totals of CPU seconds into a load: percent of one core since the last call; 0 at the first. */
export class CpuMeter {
  private last: { atMs: number; seconds: number } | null = null;

  percent(seconds: number, nowMs: number): number {
    const { last } = this;
    this.last = { atMs: nowMs, seconds };
    // A smaller total means that the process was restarted in between.
    if (last === null || seconds < last.seconds || nowMs <= last.atMs) return 0;
    return Math.round(((seconds - last.seconds) / (nowMs - last.atMs)) * 1_000_000) / 10;
  }
}

/** Bytes in a directory and below; 0 when it is not there. Files that vanish meanwhile are left out. */
export async function directoryBytes(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map((entry) => {
      const child = join(path, entry.name);
      return entry.isDirectory() ? directoryBytes(child) : fileBytes(child);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function fileBytes(path: string): Promise<number> {
  return stat(path).then(
    (file) => file.size,
    () => 0,
  );
}
