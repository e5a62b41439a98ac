import { open, type FileHandle } from 'node:fs/promises';
import type { ConnectorInstanceId } from '@libs/domain';
import type { NodeHome } from '../../control/node-home.js';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import { CONNECTORS_FILES } from '../connectors-files.js';

type HomeDirectory = Pick<NodeHome, 'dir'>;

/** Number of stored keys. It exceeds the number of messages that a broker sends to one session before acknowledgement. */
const REMEMBERED = 5_000;
/** Number of lines after which the file is compacted. */
const LONGEST_FILE = 4 * REMEMBERED;
/** Marks the line of a refused message. JSON ignores it, so that an older release can read the line. */
const REFUSED = ' ';

interface Delivered {
  /** All deliveries ever, including forgotten keys. */
  count: number;
  /** All messages that the destination refused for good, ever. */
  refused: number;
  /** The most recent keys, oldest first. */
  keys: string[];
}

/**
 * The deliveries of a sink, stored durably before the acknowledgement to the broker. So a redelivered message is recognized.
 * Keys are appended line by line. The first line is the number of earlier deliveries and of earlier refusals. The line of a
 * refused message starts with a space.
 */
export class DeliveryRecord {
  private lines: number;
  /** A write failed, so the file may end in a part of a line, or may be another one than the open one. */
  private isDoubtful = false;

  private constructor(
    private readonly path: string,
    private readonly known: Set<string>,
    private total: number,
    private totalRefused: number,
    private file: FileHandle,
  ) {
    this.lines = known.size;
  }

  static async open(home: HomeDirectory, instanceId: ConnectorInstanceId): Promise<DeliveryRecord> {
    const path = CONNECTORS_FILES.delivered(home, instanceId);
    const { count, refused, keys } = await read(path);
    const known = new Set(keys.slice(-REMEMBERED));
    // Always rewrites, because a crash can leave a partial last line, and new lines must not be appended to it.
    await rewrite(path, { count, refused }, known);
    return new DeliveryRecord(path, known, count, refused, await open(path, 'a', 0o600));
  }

  get count(): number {
    return this.total;
  }

  get refusedCount(): number {
    return this.totalRefused;
  }

  has(key: string): boolean {
    return this.known.has(key);
  }

  /** Resolves when the keys would survive a power cut. */
  async add(keys: readonly string[]): Promise<void> {
    await this.append(keys, '');
    this.total += keys.length;
    await this.shorten();
  }

  /** The destination refused these messages for good. They are not delivered again, and do not count as delivered. */
  async addRefused(keys: readonly string[]): Promise<void> {
    await this.append(keys, REFUSED);
    this.totalRefused += keys.length;
    await this.shorten();
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async append(keys: readonly string[], mark: string): Promise<void> {
    if (this.isDoubtful) await this.compact();
    this.isDoubtful = true;
    await this.file.appendFile(keys.map((key) => `${mark}${JSON.stringify(key)}\n`).join(''));
    await this.file.datasync();
    this.isDoubtful = false;
    for (const key of keys) this.remember(key);
    this.lines += keys.length;
  }

  /** The keys are durable, so a failure is none of theirs. */
  private async shorten(): Promise<void> {
    if (this.lines > LONGEST_FILE) await this.compact().catch(() => undefined);
  }

  private remember(key: string): void {
    this.known.add(key);
    const [oldest] = this.known;
    if (this.known.size > REMEMBERED && oldest !== undefined) this.known.delete(oldest);
  }

  private async compact(): Promise<void> {
    this.isDoubtful = true;
    await rewrite(this.path, { count: this.total, refused: this.totalRefused }, this.known);
    const file = await open(this.path, 'a', 0o600);
    await this.file.close().catch(() => undefined);
    this.file = file;
    this.lines = this.known.size;
    this.isDoubtful = false;
  }
}

/** The numbers of messages that a sink has delivered and refused, from its file. */
export async function deliveredCounts(
  home: HomeDirectory,
  instanceId: ConnectorInstanceId,
): Promise<{ messages: number; failed: number }> {
  const { count, refused } = await read(CONNECTORS_FILES.delivered(home, instanceId));
  return { messages: count, failed: refused };
}

type Counts = Omit<Delivered, 'keys'>;

/** The first line leaves out the keys that follow. A refused key follows as a delivered one, so its count is corrected. */
async function rewrite(path: string, { count, refused }: Counts, keys: ReadonlySet<string>): Promise<void> {
  const lines = [...keys].map((key) => `${JSON.stringify(key)}\n`);
  await writePrivateFile(path, `${count - keys.size} ${refused}\n${lines.join('')}`);
}

async function read(path: string): Promise<Delivered> {
  const [first = '0', ...lines] = ((await readFileIfAny(path)) ?? '').split('\n');
  const [count = 0, refused = 0] = first.split(' ').map((text) => Number(text) || 0);
  // The part after the last newline is empty, or a partial line from a crash. The message of a partial line was not
  // acknowledged.
  const whole = lines.slice(0, -1);
  const ended = whole.flatMap(keyOf);
  const refusals = ended.filter(({ isRefused }) => isRefused).length;
  return { count: count + ended.length - refusals, refused: refused + refusals, keys: ended.map(({ key }) => key) };
}

/** Nothing for a line that an earlier release has continued after a full disk. Its messages come again. */
function keyOf(line: string): { key: string; isRefused: boolean }[] {
  try {
    return [{ key: JSON.parse(line) as string, isRefused: line.startsWith(REFUSED) }];
  } catch {
    return [];
  }
}
