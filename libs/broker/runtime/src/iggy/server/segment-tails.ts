import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** An entry of an index: the offset of a message in the segment, the position where it ends in the log, and its time. */
const ENTRY_BYTES = 16;
/** The header of a message in the log. The lengths of the user headers and of the payload are in it. */
const HEADER_BYTES = 64;
const AT = { offset: 24, timestamp: 32, userHeaders: 48, payload: 52 } as const;

/** The end of a segment, as far as its index knows it. */
interface Tail {
  entries: number;
  /** Null in an empty index. */
  offset: number | null;
  position: number;
}

/**
 * Makes the index and the log of the newest segment of each partition end at the same message. The server writes a message to the log, then
 * to the index, then acknowledges it. It can die between the writes, and after its next append and restart nobody can read the partition.
 * Whole messages that the index lacks get their entries. The start of an unfinished message is cut off. A log that is shorter than
 * its index has lost messages: it stays as it is, and the node reports the damage. No server may run on the directory.
 */
export async function alignSegments(data: string): Promise<void> {
  for (const partition of await partitionFolders(data)) {
    const logs = (await readdir(partition)).filter((name) => name.endsWith('.log')).sort();
    const newest = logs.at(-1);
    if (newest !== undefined) await alignSegment(join(partition, newest.slice(0, -'.log'.length)));
  }
}

async function partitionFolders(data: string): Promise<string[]> {
  const streams = join(data, 'streams');
  const topics = (await foldersIn(streams)).map((stream) => join(stream, 'topics'));
  const partitions = (await Promise.all(topics.map(foldersIn))).flat().map((topic) => join(topic, 'partitions'));
  return (await Promise.all(partitions.map(foldersIn))).flat();
}

async function foldersIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
}

async function alignSegment(path: string): Promise<void> {
  const index = await open(`${path}.index`, 'r+').catch(() => null);
  if (index === null) return;
  const log = await open(`${path}.log`, 'r+');
  try {
    const { size } = await log.stat();
    const tail = await tailOf(index);
    if (tail.position < size) await completeIndex(index, log, tail, size);
    else await index.truncate(tail.entries * ENTRY_BYTES);
  } finally {
    await Promise.all([index.close(), log.close()]);
  }
}

async function tailOf(index: FileHandle): Promise<Tail> {
  const entries = Math.floor((await index.stat()).size / ENTRY_BYTES);
  if (entries === 0) return { entries, offset: null, position: 0 };
  const { buffer } = await index.read(Buffer.alloc(ENTRY_BYTES), 0, ENTRY_BYTES, (entries - 1) * ENTRY_BYTES);
  return { entries, offset: buffer.readUInt32LE(0), position: buffer.readUInt32LE(4) };
}

async function completeIndex(index: FileHandle, log: FileHandle, tail: Tail, size: number): Promise<void> {
  const entries: Buffer[] = [];
  let end = tail.position;
  let previous: bigint | null = await offsetOfLast(log, tail);
  for (;;) {
    const message = await messageAt(log, end, size);
    // Numbers without a gap show that these are the messages that follow.
    if (message === null || (previous !== null && message.offset !== previous + 1n)) break;
    previous = message.offset;
    end = message.end;
    entries.push(entryOf((tail.offset ?? -1) + entries.length + 1, message));
  }
  await index.truncate(tail.entries * ENTRY_BYTES);
  await index.write(Buffer.concat(entries), 0, undefined, tail.entries * ENTRY_BYTES);
  await log.truncate(end);
  await Promise.all([index.sync(), log.sync()]);
}

interface StoredMessage {
  offset: bigint;
  timestamp: bigint;
  end: number;
}

async function messageAt(log: FileHandle, start: number, size: number): Promise<StoredMessage | null> {
  if (start + HEADER_BYTES > size) return null;
  const { buffer } = await log.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, start);
  const end = start + HEADER_BYTES + buffer.readUInt32LE(AT.userHeaders) + buffer.readUInt32LE(AT.payload);
  if (end > size) return null;
  return { offset: buffer.readBigUInt64LE(AT.offset), timestamp: buffer.readBigUInt64LE(AT.timestamp), end };
}

/** The number of the last message that the index knows: the index has only its low half. Null without one. */
async function offsetOfLast(log: FileHandle, { entries, offset }: Tail): Promise<bigint | null> {
  if (offset === null || entries === 0) return null;
  const first = await messageAt(log, 0, Number.MAX_SAFE_INTEGER);
  return first === null ? null : first.offset + BigInt(offset);
}

function entryOf(offset: number, { end, timestamp }: StoredMessage): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeUInt32LE(offset, 0);
  entry.writeUInt32LE(end, 4);
  entry.writeBigUInt64LE(timestamp, 8);
  return entry;
}
