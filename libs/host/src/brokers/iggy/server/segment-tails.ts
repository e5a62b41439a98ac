import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { BrokerError } from '../../../control/broker-error.js';
import { LogReader } from './log-reader.js';

/** An entry of an index: the number of a message in the segment, the position where it ends in the log, and its time. */
const ENTRY_BYTES = 16;
/** A log without entries and without a whole message can be the start of the first message, as long as it is small. */
const LEAST_LOG_BYTES = 1024 * 1024;
/** Entries that are written at once. */
const BATCH = 65_536;

/** A segment whose files are open, and the end of its index. */
interface Segment {
  index: FileHandle;
  log: FileHandle;
  /** Size of the log. */
  size: number;
  /** Offset of its first message, which is the name of its files. */
  base: bigint;
  entries: number;
  /** Position in the log where the last message of the index ends. */
  end: number;
}

/**
 * Makes the index and the log of each segment end at the same message. The server writes a message to the log, then to the index, then
 * acknowledges it. It can die between the writes, and after its next append and restart nobody can read the partition. Whole messages that
 * the index lacks get their entries, also when the index is missing. What follows them was never acknowledged and is cut off.
 * Files that contradict each other stay as they are: a log that is shorter than its index, an index whose last entry is no message of
 * the log, and a log without a readable message. The node reports the damage when the newest message of a partition cannot be read.
 * No server may run on the directory.
 * @throws BrokerError when an older segment is damaged
 */
export async function alignSegments(data: string): Promise<void> {
  for (const partition of await partitionFolders(data)) {
    const logs = (await readdir(partition)).filter((name) => name.endsWith('.log')).sort();
    for (const name of logs) {
      const isWhole = await alignSegment(partition, name.slice(0, -'.log'.length));
      if (!isWhole && name !== logs.at(-1))
        throw new BrokerError(
          `the data is damaged: ${join(partition, name).slice(data.length + 1)} does not fit its index. Restore a backup.`,
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

/** Returns false for damaged files, which stay as they are. */
async function alignSegment(partition: string, name: string): Promise<boolean> {
  const path = join(partition, name);
  const log = await open(`${path}.log`, 'r+');
  const index = await openIndex(`${path}.index`);
  try {
    const [{ size }, entries] = [await log.stat(), Math.floor((await index.stat()).size / ENTRY_BYTES)];
    const end = await endOf(index, entries);
    return await complete({ index, log, size, base: BigInt(name), entries, end });
  } finally {
    await Promise.all([index.close(), log.close()]);
  }
}

/** Creates a missing index. Other failures go on: an index that exists must not be replaced. */
const openIndex = (path: string): Promise<FileHandle> =>
  open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return open(path, 'wx+', 0o644);
    throw error;
  });

/** Where the message of the last of these entries ends. */
async function endOf(index: FileHandle, entries: number): Promise<number> {
  if (entries === 0) return 0;
  const { buffer } = await index.read(Buffer.alloc(ENTRY_BYTES), 0, ENTRY_BYTES, (entries - 1) * ENTRY_BYTES);
  return buffer.readUInt32LE(4);
}

async function complete(segment: Segment): Promise<boolean> {
  const { index, size, entries, end } = segment;
  if (end > size) return false;
  if (end < size) return completeIndex(segment);
  await index.truncate(entries * ENTRY_BYTES);
  return true;
}

async function completeIndex(segment: Segment): Promise<boolean> {
  const { index, log, size, base, entries } = segment;
  const reader = new LogReader(log, size);
  if (!(await fits(segment, reader))) return false;
  await index.truncate(entries * ENTRY_BYTES);
  let [written, end] = [entries, segment.end];
  for (let batch: Buffer[] | null = null; batch === null || batch.length === BATCH;) {
    batch = [];
    while (batch.length < BATCH) {
      const message = await reader.messageAt(end);
      // Offsets without a gap show that these are the messages that follow.
      if (message?.offset !== base + BigInt(written + batch.length)) break;
      batch.push(entryOf(written + batch.length, message.end, message.timestamp));
      end = message.end;
    }
    await index.write(Buffer.concat(batch), 0, undefined, written * ENTRY_BYTES);
    written += batch.length;
  }
  await log.truncate(end);
  await Promise.all([index.sync(), log.sync()]);
  return true;
}

/** Whether the last entry of the index is the message of the log that ends there. Otherwise a cut could delete other messages. */
async function fits({ index, base, entries, end, size }: Segment, reader: LogReader): Promise<boolean> {
  if (entries === 0) return size < LEAST_LOG_BYTES || (await reader.messageAt(0))?.offset === base;
  const last = await reader.messageAt(await endOf(index, entries - 1));
  return last?.end === end && last.offset === base + BigInt(entries - 1);
}

function entryOf(number: number, end: number, timestamp: bigint): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.writeUInt32LE(number, 0);
  entry.writeUInt32LE(end, 4);
  entry.writeBigUInt64LE(timestamp, 8);
  return entry;
}
