import { open, stat } from 'node:fs/promises';

/** The position in a file: its inode, because the file may be rotated, and the number of read bytes. */
export type LogPosition = [inode: number, offset: number];

/** Number of bytes per read. */
const CHUNK_BYTES = 512 * 1024;
/** A reader that is further behind skips to a point near the end. */
const LONGEST_WAY_BYTES = 8 * 1024 * 1024;
/** Rotated files that are read. iggy-server keeps ten by default. */
const OLDEST = 20;
/** Attempts while a program rotates its files. */
const LOOKS = 3;
const NEWLINE = 10;

/** Complete lines, each with the position of its end. */
export interface LogChunk {
  lines: { text: string; position: LogPosition }[];
  /** Number of skipped bytes. */
  skippedBytes: number;
}

const NOTHING: LogChunk = { lines: [], skippedBytes: 0 };

/**
 * Some lines of `path` after a position. A file that was rotated is first read to its end as `<path>.1`, `<path>.2` and so on, and
 * then the file after it. Without a position, or when its file is gone, the oldest file is read from its start, and so is a truncated
 * file. An incomplete last line is left for the next read.
 */
export async function readLogFile(path: string, position: LogPosition | null): Promise<LogChunk> {
  for (let look = 0; look < LOOKS; look += 1) {
    const age = position === null ? null : await ageOf(path, position[0]);
    if (position === null || age === null) return firstBelow(path, OLDEST + 1);
    const rest = await read(nameOf(path, age), position, age > 0);
    if (rest !== null && (age === 0 || rest.lines.length > 0 || rest.skippedBytes > 0)) return rest;
    const next = rest && (await firstBelow(path, age));
    // The program may have rotated its files in the meantime. Then the next file is not the one after the read file.
    if (next && (await inodeOf(nameOf(path, age))) === position[0]) return next;
  }
  return NOTHING;
}

const nameOf = (path: string, age: number): string => (age === 0 ? path : `${path}.${age}`);

/** How often a file was rotated. Null: it is gone. Files become older only, so a look from new to old does not miss one. */
async function ageOf(path: string, inode: number): Promise<number | null> {
  for (let age = 0; age <= OLDEST; age += 1) if ((await inodeOf(nameOf(path, age))) === inode) return age;
  return null;
}

/** The lines of the oldest file with lines after a rotated one. During a rotation a number may be free. */
async function firstBelow(path: string, age: number): Promise<LogChunk> {
  for (let next = age - 1; next >= 0; next -= 1) {
    const chunk = await read(nameOf(path, next), null, next > 0);
    if (chunk !== null && (next === 0 || chunk.lines.length > 0)) return chunk;
  }
  return NOTHING;
}

/** Reads from the start without a position. Null: the file with this position is not there. `isOver`: nothing more is written to it. */
async function read(path: string, position: LogPosition | null, isOver: boolean): Promise<LogChunk | null> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const { ino: inode, size } = await file.stat();
    if (position !== null && position[0] !== inode) return null;
    const offset = position === null || position[1] > size ? 0 : position[1];
    const isFar = size - offset > LONGEST_WAY_BYTES;
    const from = isFar ? size - CHUNK_BYTES : offset;
    const length = Math.min(CHUNK_BYTES, size - from);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    const bytes = buffer.subarray(0, bytesRead);
    // Skips the rest of a partial line too.
    const begin = isFar ? bytes.indexOf(NEWLINE) + 1 : 0;
    const isWhole = bytes.length === CHUNK_BYTES || isOver;
    return { lines: linesOf(bytes, begin, inode, from, isWhole), skippedBytes: from + begin - offset };
  } finally {
    await file.close();
  }
}

/** `takesRest`: also returns an incomplete line, because it is longer than a read, or because nothing follows. */
function linesOf(bytes: Buffer, begin: number, inode: number, from: number, takesRest: boolean): LogChunk['lines'] {
  const lines: LogChunk['lines'] = [];
  let start = begin;
  for (let end = bytes.indexOf(NEWLINE, start); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    lines.push({ text: bytes.toString('utf8', start, end), position: [inode, from + end + 1] });
    start = end + 1;
  }
  const isRest = start < bytes.length && takesRest && (lines.length === 0 || bytes.length < CHUNK_BYTES);
  if (isRest) lines.push({ text: bytes.toString('utf8', start), position: [inode, from + bytes.length] });
  return lines;
}

const inodeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ ino }) => ino,
    () => null,
  );
