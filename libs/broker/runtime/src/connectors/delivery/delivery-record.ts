import { open, type FileHandle } from 'node:fs/promises';
import type { ConnectorInstanceId } from '@libs/domain';
import type { NodeHome } from '../../node-home.js';
import { readFileIfAny, writePrivateFile } from '../../private-file.js';
import { CONNECTORS_FILES } from '../connectors-files.js';

type HomeDirectory = Pick<NodeHome, 'dir'>;

/** Number of stored keys. It exceeds the number of messages that a broker sends to one session before acknowledgement. */
const REMEMBERED = 5_000;
/** Number of lines after which the file is compacted. */
const LONGEST_FILE = 4 * REMEMBERED;

interface Delivered {
  /** All deliveries ever, including forgotten keys. */
  count: number;
  /** The most recent keys, oldest first. */
  keys: string[];
}

/**
 * The deliveries of a sink, stored durably before the acknowledgement to the broker. So a redelivered message is recognized.
 * Keys are appended line by line. The first line is the number of earlier deliveries.
 */
export class DeliveryRecord {
  private lines: number;

  private constructor(
    private readonly path: string,
    private readonly known: Set<string>,
    private total: number,
    private file: FileHandle,
  ) {
    this.lines = known.size;
  }

  static async open(home: HomeDirectory, instanceId: ConnectorInstanceId): Promise<DeliveryRecord> {
    const path = CONNECTORS_FILES.delivered(home, instanceId);
    const { count, keys } = await read(path);
    const known = new Set(keys.slice(-REMEMBERED));
    // Always rewrites, because a crash can leave a partial last line, and new lines must not be appended to it.
    await rewrite(path, count, known);
    return new DeliveryRecord(path, known, count, await open(path, 'a', 0o600));
  }

  get count(): number {
    return this.total;
  }

  has(key: string): boolean {
    return this.known.has(key);
  }

  /** Resolves when the keys would survive a power cut. */
  async add(keys: readonly string[]): Promise<void> {
    await this.file.appendFile(keys.map((key) => `${JSON.stringify(key)}\n`).join(''));
    await this.file.datasync();
    for (const key of keys) this.remember(key);
    this.total += keys.length;
    this.lines += keys.length;
    if (this.lines > LONGEST_FILE) await this.compact();
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private remember(key: string): void {
    this.known.add(key);
    const [oldest] = this.known;
    if (this.known.size > REMEMBERED && oldest !== undefined) this.known.delete(oldest);
  }

  private async compact(): Promise<void> {
    await this.file.close();
    await rewrite(this.path, this.total, this.known);
    this.file = await open(this.path, 'a', 0o600);
    this.lines = this.known.size;
  }
}

/** The number of messages that a sink has delivered, from its file. */
export async function deliveredCount(home: HomeDirectory, instanceId: ConnectorInstanceId): Promise<number> {
  return (await read(CONNECTORS_FILES.delivered(home, instanceId))).count;
}

async function rewrite(path: string, count: number, keys: ReadonlySet<string>): Promise<void> {
  const lines = [...keys].map((key) => `${JSON.stringify(key)}\n`);
  await writePrivateFile(path, `${count - keys.size}\n${lines.join('')}`);
}

async function read(path: string): Promise<Delivered> {
  const [first = '0', ...lines] = ((await readFileIfAny(path)) ?? '').split('\n');
  // The part after the last newline is empty, or a partial line from a crash. The message of a partial line was not
  // acknowledged.
  const keys = lines.slice(0, -1).map((line) => JSON.parse(line) as string);
  return { count: (Number(first) || 0) + keys.length, keys };
}
