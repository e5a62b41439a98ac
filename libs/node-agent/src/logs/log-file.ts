import { open, stat } from 'node:fs/promises';

/** How far a file was read: which file it was, by its inode, for it may be rotated; and how many bytes of it. */
export type LogPosition = [inode: number, offset: number];

/** Bytes of one look. */
const CHUNK_BYTES = 512 * 1024;
/** Who is further behind goes on near the end. */
const LONGEST_WAY_BYTES = 8 * 1024 * 1024;
const NEWLINE = 10;

/** Whole lines, and where each ends. */
export interface LogChunk {
  lines: { text: string; position: LogPosition }[];
  /** Bytes that were passed over. */
  skippedBytes: number;
}

/**
 * The lines of `path` after a position, some of them. A file that was rotated meanwhile is read to its end as `<path>.1`
 * first; one that was cut is read from its beginning. A line without its end is left for the next look.
 */
export async function readLogFile(path: string, position: LogPosition | null): Promise<LogChunk> {
  const old = position && (await read(`${path}.1`, position, true));
  if (old && (old.lines.length > 0 || old.skippedBytes > 0)) return old;
  const current = await fileOf(path);
  if (current === null) return { lines: [], skippedBytes: 0 };
  const isSame = position !== null && position[0] === current.inode && position[1] <= current.size;
  return (await read(path, isSame ? position : [current.inode, 0], false)) ?? { lines: [], skippedBytes: 0 };
}

/** Null when the file is another than that of the position. `isOver`: nothing will be written to it any more. */
async function read(path: string, [inode, offset]: LogPosition, isOver: boolean): Promise<LogChunk | null> {
  const found = await fileOf(path);
  if (found?.inode !== inode || found.size <= offset) return null;
  const isFar = found.size - offset > LONGEST_WAY_BYTES;
  const from = isFar ? found.size - CHUNK_BYTES : offset;
  const bytes = await readBytes(path, from, Math.min(CHUNK_BYTES, found.size - from));
  // In the middle of a line, which is passed over with the rest.
  const begin = isFar ? bytes.indexOf(NEWLINE) + 1 : 0;
  const isWhole = bytes.length === CHUNK_BYTES || isOver;
  return { lines: linesOf(bytes, begin, inode, from, isWhole), skippedBytes: from + begin - offset };
}

/** `takesRest`: what has no end is a line, too; it is longer than a look, or nothing follows. */
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
