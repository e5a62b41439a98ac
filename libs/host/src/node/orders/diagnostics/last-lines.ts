import { open } from 'node:fs/promises';
import type { DiagnosticLine } from '@libs/domain';
import { DIAGNOSTICS_LIMITS } from '@libs/domain/node-orders';
import { LogParser } from '../../logs/log-line.js';

/** Enough for thousands of normal lines. With longer lines there are fewer. */
const TAIL_BYTES = 2 * 1024 * 1024;
const NEWLINE = 10;

/** The last lines of a log file, oldest first. A short file is completed with lines of the rotated file. */
export async function lastLines(
  path: string,
  redact: (text: string) => string,
  toServerTime: (ms: number) => number,
): Promise<{ lines: DiagnosticLine[]; isCut: boolean }> {
  const current = await tail(path);
  const lineLimit = DIAGNOSTICS_LIMITS.linesPerRuntime;
  const old = current.isCut || current.lines.length >= lineLimit ? null : await tail(`${path}.1`);
  const all = [...(old?.lines ?? []), ...current.lines].filter((line) => line.trim() !== '');
  const parser = new LogParser();
  const lines = all.slice(-lineLimit).map((line) => {
    // Redacts before the message is cut, because half of a secret is still secret.
    const { at, level, message } = parser.parse(redact(line));
    return { at: at === null ? null : Math.round(toServerTime(at)), level, message };
  });
  return { lines, isCut: current.isCut || (old?.isCut ?? false) || all.length > lineLimit };
}

/** Empty for a missing file. */
async function tail(path: string): Promise<{ lines: string[]; isCut: boolean }> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return { lines: [], isCut: false };
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const isCut = size > length;
    // Skips the partial line at the start.
    const begin = isCut ? buffer.indexOf(NEWLINE) + 1 : 0;
    return { lines: buffer.toString('utf8', begin, bytesRead).split('\n'), isCut };
  } finally {
    await file.close();
  }
}
