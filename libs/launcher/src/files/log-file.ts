import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

/** The last lines of a log. Empty when there is none. `from` skips everything before that byte. */
export function tailOf(path: string, lines: number, from = 0): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const start = Math.max(from > size ? 0 : from, size - 64 * 1024);
  return readRange(path, start, size).trimEnd().split('\n').slice(-lines).join('\n');
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

/**
 * Moves the content of a log to `<path>.1` when it is larger than `limitBytes`. Writers are not affected: they append, so they
 * continue at the new end. Lines that are written between copy and truncation are lost.
 */
export function rotateLog(path: string, limitBytes: number): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= limitBytes) return;
  copyFileSync(path, `${path}.1`);
  truncateSync(path, 0);
}
