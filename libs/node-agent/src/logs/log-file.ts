import { open, stat } from 'node:fs/promises';

/** The position in a file: its inode, because the file may be rotated, and the number of read bytes. */
export type LogPosition = [inode: number, offset: number];

/** Number of bytes per read. */
const CHUNK_BYTES = 512 * 1024;
/** A reader that is further behind skips to a point near the end. */
const LONGEST_WAY_BYTES = 8 * 1024 * 1024;
const NEWLINE = 10;

/** Complete lines, each with the position of its end. */
export interface LogChunk {
  lines: { text: string; position: LogPosition }[];
  /** Number of skipped bytes. */
  skippedBytes: number;
}

/**
 * Some lines of `path` after a position. A file that was rotated is first read to its end as `<path>.1`. A truncated file is
 * read from its start. An incomplete last line is left for the next read.
 */
export async function readLogFile(path: string, position: LogPosition | null): Promise<LogChunk> {
  const old = position && (await read(`${path}.1`, position, true));
  if (old && (old.lines.length > 0 || old.skippedBytes > 0)) return old;
  const current = await fileOf(path);
  if (current === null) return { lines: [], skippedBytes: 0 };
  const isSame = position !== null && position[0] === current.inode && position[1] <= current.size;
  return (await read(path, isSame ? position : [current.inode, 0], false)) ?? { lines: [], skippedBytes: 0 };
}

/** Null when the position belongs to another file. `isOver`: nothing more will be written to the file. */
async function read(path: string, [inode, offset]: LogPosition, isOver: boolean): Promise<LogChunk | null> {
  const found = await fileOf(path);
  if (found?.inode !== inode || found.size <= offset) return null;
  const isFar = found.size - offset > LONGEST_WAY_BYTES;
  const from = isFar ? found.size - CHUNK_BYTES : offset;
  const bytes = await readBytes(path, from, Math.min(CHUNK_BYTES, found.size - from));
  // Skips the rest of a partial line too.
  const begin = isFar ? bytes.indexOf(NEWLINE) + 1 : 0;
  const isWhole = bytes.length === CHUNK_BYTES || isOver;
  return { lines: linesOf(bytes, begin, inode, from, isWhole), skippedBytes: from + begin - offset };
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

async function readBytes(path: string, from: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function fileOf(path: string): Promise<{ inode: number; size: number } | null> {
  return stat(path).then(
    ({ ino: inode, size }) => ({ inode, size }),
    () => null,
  );
}
