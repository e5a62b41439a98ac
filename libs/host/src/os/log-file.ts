import { closeSync, copyFileSync, openSync, readSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';

/** The last lines of a log. Empty when there is none. `from` skips everything before that byte. Never throws. */
export function tailOf(path: string, lines: number, from = 0): string {
  try {
    const size = sizeOf(path);
    const start = Math.max(from > size ? 0 : from, size - 64 * 1024);
    return lastLines(readRange(path, start, size), lines);
  } catch (error) {
    return `(${String(error)})`;
  }
}

/** The last lines of a text. */
export const lastLines = (text: string, lines: number): string => text.trimEnd().split('\n').slice(-lines).join('\n');

/** The size of a log in bytes. 0 when there is none, or when it cannot be looked at. */
export function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** The text between two byte offsets. */
export function readRange(path: string, start: number, end: number): string {
  if (end <= start) return '';
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(end - start);
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, start)).toString('utf8');
  } finally {
    closeSync(file);
  }
}

/** What remains of a log that cannot be copied. */
const KEPT_BYTES = 256 * 1024;

/**
 * Moves the content of a log to `<path>.1` when it is larger than `limitBytes`. Writers are not affected: they append, so they
 * continue at the new end. Lines that are written between copy and truncation are lost. A copy needs space, and the log may be what
 * fills the disk: when the copy fails, only the newest lines are kept. Throws when the log cannot even be made shorter.
 */
export function rotateLog(path: string, limitBytes: number): void {
  const size = sizeOf(path);
  if (size <= limitBytes) return;
  const old = `${path}.1`;
  try {
    copyFileSync(path, old);
    truncateSync(path, 0);
  } catch {
    keepNewest(path, old, size);
  }
}

function keepNewest(path: string, old: string, size: number): void {
  const newest = readRange(path, size - KEPT_BYTES, size);
  truncateSync(path, 0);
  try {
    // A part of the copy, or the one before it.
    rmSync(old, { force: true });
    writeFileSync(old, newest, { mode: 0o600 });
  } catch {
    // The directory takes no files. The log itself has become shorter, which is what matters.
  }
}

/** Opens a log for the output of a process. A process whose log cannot be opened runs without one. */
export function openLog(path: string): number | 'ignore' {
  try {
    return openSync(path, 'a', 0o600);
  } catch {
    return 'ignore';
  }
}

/** Closes what `openLog` returned. */
export function closeLog(log: number | 'ignore'): void {
  if (log !== 'ignore') closeSync(log);
}
