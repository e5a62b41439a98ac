import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from '../../broker-error.js';
import { LogReader } from './log-reader.js';

/** An entry of an index: the number of a message in the segment, the position where it ends in the log, and its time. */
const ENTRY_BYTES = 16;
/** Entries that are written at once. */
const BATCH = 65_536;

/** The end of a segment, as far as its index knows it. */
interface Tail {
  entries: number;
  /** Null in an empty index. */
  number: number | null;
  position: number;
}

/**
 * Makes the index and the log of each segment end at the same message. The server writes a message to the log, then to the index, then
 * acknowledges it. It can die between the writes, and after its next append and restart nobody can read the partition. Whole messages that
 * the index lacks get their entries, also when the index is missing. The start of an unfinished message is cut off. A log that is
 * shorter than its index has lost messages. The newest segment of a partition then stays as it is: the node reports the damage when the
 * newest message cannot be read. No server may run on the directory.
 * @throws BrokerError when an older segment has lost messages
 */
export async function alignSegments(data: string): Promise<void> {
  for (const partition of await partitionFolders(data)) {
    const logs = (await readdir(partition)).filter((name) => name.endsWith('.log')).sort();
    for (const name of logs) {
      const path = join(partition, name.slice(0, -'.log'.length));
      const isWhole = await alignSegment(path);
      if (!isWhole && name !== logs.at(-1))
        throw new BrokerError(
          `the data is damaged: ${path.slice(data.length + 1)}.log is too short. Restore a backup.`,
        );
    }
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

/** Returns false when the log is shorter than its index. */
async function alignSegment(path: string): Promise<boolean> {
  // Creates a missing index.
  const index = await open(`${path}.index`, 'r+').catch(() => open(`${path}.index`, 'w+', 0o644));
  const log = await open(`${path}.log`, 'r+');
  try {
    const { size } = await log.stat();
    const tail = await tailOf(index);
    await index.truncate(tail.entries * ENTRY_BYTES);
    if (tail.position < size) await completeIndex(index, log, tail, size);
    return tail.position <= size;
  } finally {
    await Promise.all([index.close(), log.close()]);
  }
}

async function tailOf(index: FileHandle): Promise<Tail> {
  const entries = Math.floor((await index.stat()).size / ENTRY_BYTES);
  if (entries === 0) return { entries, number: null, position: 0 };
  const { buffer } = await index.read(Buffer.alloc(ENTRY_BYTES), 0, ENTRY_BYTES, (entries - 1) * ENTRY_BYTES);
  return { entries, number: buffer.readUInt32LE(0), position: buffer.readUInt32LE(4) };
}

async function completeIndex(index: FileHandle, log: FileHandle, tail: Tail, size: number): Promise<void> {
  const reader = new LogReader(log, size);
  const first = await reader.messageAt(0);
  let [written, end] = [tail.entries, tail.position];
  let next = first === null || tail.number === null ? null : first.offset + BigInt(tail.number) + 1n;
  for (let isOver = false; !isOver;) {
    const entries: Buffer[] = [];
    while (entries.length < BATCH && !isOver) {
      const message = await reader.messageAt(end);
      // Offsets without a gap show that these are the messages that follow.
      isOver = message === null || (next !== null && message.offset !== next);
      if (message === null || isOver) break;
      [next, end] = [message.offset + 1n, message.end];
      entries.push(entryOf(written + entries.length, message.end, message.timestamp));
    }
    await index.write(Buffer.concat(entries), 0, undefined, written * ENTRY_BYTES);
    written += entries.length;
  }
  await log.truncate(end);
  await Promise.all([index.sync(), log.sync()]);
}

function entryOf(number: number, end: number, timestamp: bigint): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeUInt32LE(number, 0);
  entry.writeUInt32LE(end, 4);
  entry.writeBigUInt64LE(timestamp, 8);
  return entry;
}
