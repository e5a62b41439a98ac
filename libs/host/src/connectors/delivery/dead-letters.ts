import { rename } from 'node:fs/promises';
import { ClassicLevel } from 'classic-level';
import type { ConnectorInstanceId, DeadLetterPage, DeadLetterReport } from '@libs/domain';
import type { NodeHome } from '../../control/node-home.js';
import { CONNECTORS_FILES } from '../connectors-files.js';
import type { ConnectorMessage } from './connector-message.js';

/** Limits of the store, for all sinks of the node together. The oldest letter leaves first. */
export const DEAD_LETTER_LIMITS = { letters: 10_000, bytes: 64 * 1024 * 1024, ageMs: 7 * 24 * 3_600_000 };
export type DeadLetterLimits = typeof DEAD_LETTER_LIMITS;
/** Bytes of payloads in one page, shared by its letters. The rest of a payload is cut. */
const PAGE_BYTES = 96 * 1024;
/** Small caches, because most nodes never refuse a message. */
const LEVEL = { valueEncoding: 'json', cacheSize: 512 * 1024, writeBufferSize: 512 * 1024 } as const;
const ERROR_LENGTH = 500;
const DIGITS = 16;

/** A message that a destination refused for good. */
export interface DeadLetter {
  message: ConnectorMessage;
  error: string;
  /** Deliveries that were attempted, including those before a replay. */
  attempts: number;
}

interface StoredLetter extends Omit<DeadLetter, 'message'> {
  message: Omit<ConnectorMessage, 'payload'>;
  /** Base64. */
  payload: string;
}

/** What memory keeps of a letter. */
interface Entry {
  seq: number;
  instanceId: ConnectorInstanceId;
  messageId: string;
  atMs: number;
  bytes: number;
}

/**
 * The refused messages of a node's sinks, on its disk: bounded by number, bytes and age. Letters that leave the store without
 * a replay or a deletion are counted. Memory keeps only the keys.
 */
export class DeadLetters {
  /** In the order of their refusal. */
  private readonly entries = new Map<number, Entry>();
  private readonly dropped = new Map<ConnectorInstanceId, number>();
  private bytes = 0;
  private nextSeq = 1;

  private constructor(
    private readonly level: ClassicLevel<string, unknown>,
    private readonly limits: DeadLetterLimits,
  ) {}

  static async open(home: Pick<NodeHome, 'dir'>, limits: DeadLetterLimits = DEAD_LETTER_LIMITS): Promise<DeadLetters> {
    const path = CONNECTORS_FILES.deadLetters(home);
    // A damaged store must not stop the delivery of other messages. It stays next to the new one, for a person.
    const level = await opened(path).catch(async () => {
      await rename(path, `${path}.damaged-${Date.now()}`);
      return opened(path);
    });
    const store = new DeadLetters(level, limits);
    for await (const key of level.keys({ gte: 'letter!', lt: 'letter"' })) store.remember(entryOf(key));
    for await (const [key, count] of level.iterator({ gte: 'dropped!', lt: 'dropped"' }))
      store.dropped.set(Number(key.split('!')[1]), Number(count));
    await store.expire(Date.now());
    return store;
  }

  /** Numbers of an instance: letters in the store, and letters that the limits dropped. */
  counts(instanceId: ConnectorInstanceId): { kept: number; dropped: number } {
    return { kept: this.of(instanceId).length, dropped: this.dropped.get(instanceId) ?? 0 };
  }

  /** Resolves when the letters would survive a power cut. A letter of the same message is replaced. */
  async add(instanceId: ConnectorInstanceId, letters: readonly DeadLetter[], nowMs = Date.now()): Promise<void> {
    const byMessageId = new Map(this.of(instanceId).map((entry) => [entry.messageId, entry]));
    const stored = letters.map((letter) => {
      const { id: messageId, payload } = letter.message;
      const fresh = { seq: this.nextSeq++, instanceId, messageId, atMs: nowMs, bytes: payload.length };
      const entry = byMessageId.get(messageId) ?? fresh;
      return { entry, put: { type: 'put' as const, key: keyOf(entry), value: storedOf(letter) } };
    });
    await this.level.batch(
      stored.map(({ put }) => put),
      { sync: true },
    );
    for (const { entry } of stored) this.remember(entry);
    await this.expire(nowMs);
  }

  async page(instanceId: ConnectorInstanceId, page: number, results: number): Promise<DeadLetterPage> {
    const all = this.of(instanceId);
    const pageEntries = all.slice((page - 1) * results, page * results);
    const most = Math.floor(PAGE_BYTES / Math.max(pageEntries.length, 1));
    const items = await Promise.all(pageEntries.map((entry) => this.report(entry, most)));
    return {
      items: items.flatMap((item) => (item ? [item] : [])),
      total: all.length,
      dropped: this.counts(instanceId).dropped,
    };
  }

  /** The numbers of an instance's letters, oldest first: all, or those of `ids` that exist. */
  numbers(instanceId: ConnectorInstanceId, ids: readonly number[] | null): number[] {
    const all = this.of(instanceId).map(({ seq }) => seq);
    return ids === null ? all : all.filter((seq) => ids.includes(seq));
  }

  async find(instanceId: ConnectorInstanceId, seq: number): Promise<DeadLetter | null> {
    const entry = this.entries.get(seq);
    if (entry?.instanceId !== instanceId) return null;
    const stored = (await this.level.get(keyOf(entry))) as StoredLetter | undefined;
    if (!stored) return null;
    const { message, payload, error, attempts } = stored;
    return { message: { ...message, payload: Buffer.from(payload, 'base64') }, error, attempts };
  }

  /** Deletes letters. Returns how many existed. */
  async remove(instanceId: ConnectorInstanceId, ids: readonly number[] | null): Promise<number> {
    const gone = this.numbers(instanceId, ids).flatMap((seq) => this.entries.get(seq) ?? []);
    await this.forget(gone);
    return gone.length;
  }

  /** Deletes everything of instances that are not in the list. */
  async keepOnly(instanceIds: readonly ConnectorInstanceId[]): Promise<void> {
    await this.forget([...this.entries.values()].filter(({ instanceId }) => !instanceIds.includes(instanceId)));
    for (const instanceId of [...this.dropped.keys()].filter((id) => !instanceIds.includes(id))) {
      this.dropped.delete(instanceId);
      await this.level.del(`dropped!${instanceId}`);
    }
  }

  /** Drops letters above the limits, and counts them. */
  async expire(nowMs: number): Promise<void> {
    const gone: Entry[] = [];
    let [entriesLeft, bytes] = [this.entries.size, this.bytes];
    for (const entry of this.entries.values()) {
      const isWithin = entriesLeft <= this.limits.letters && bytes <= this.limits.bytes;
      if (isWithin && nowMs - entry.atMs < this.limits.ageMs) break;
      gone.push(entry);
      entriesLeft -= 1;
      bytes -= entry.bytes;
    }
    if (gone.length === 0) return;
    for (const { instanceId } of gone) this.dropped.set(instanceId, (this.dropped.get(instanceId) ?? 0) + 1);
    const counts = [...new Set(gone.map(({ instanceId }) => instanceId))].map((id) => {
      return { type: 'put' as const, key: `dropped!${id}`, value: this.dropped.get(id) };
    });
    await this.level.batch(counts);
    await this.forget(gone);
  }

  async close(): Promise<void> {
    await this.level.close();
  }

  private async report(entry: Entry, most: number): Promise<DeadLetterReport | null> {
    const letter = await this.find(entry.instanceId, entry.seq);
    if (!letter) return null;
    const { id, stream, topic, payload } = letter.message;
    return {
      id: entry.seq,
      message_id: id,
      topic: `${stream}/${topic}`,
      error: letter.error,
      attempts: letter.attempts,
      failed_at: new Date(entry.atMs).toISOString(),
      payload: payload.subarray(0, most).toString('base64'),
      payload_bytes: payload.length,
      is_truncated: payload.length > most,
    };
  }

  private of(instanceId: ConnectorInstanceId): Entry[] {
    return [...this.entries.values()].filter((entry) => entry.instanceId === instanceId);
  }

  private remember(entry: Entry): void {
    if (!this.entries.has(entry.seq)) this.bytes += entry.bytes;
    this.entries.set(entry.seq, entry);
    this.nextSeq = Math.max(this.nextSeq, entry.seq + 1);
  }

  private async forget(entries: readonly Entry[]): Promise<void> {
    await this.level.batch(entries.map((entry) => ({ type: 'del' as const, key: keyOf(entry) })));
    for (const { seq, bytes } of entries) if (this.entries.delete(seq)) this.bytes -= bytes;
  }
}

async function opened(path: string): Promise<ClassicLevel<string, unknown>> {
  const level = new ClassicLevel<string, unknown>(path, LEVEL);
  await level.open();
  return level;
}

const padded = (number: number): string => String(number).padStart(DIGITS, '0');

/** The order of keys is the order of refusals. The id of a message is last, because it may contain any visible character. */
const keyOf = ({ seq, instanceId, atMs, bytes, messageId }: Entry): string =>
  `letter!${padded(seq)}!${instanceId}!${atMs}!${bytes}!${messageId}`;

function entryOf(key: string): Entry {
  const [, seq, instanceId, atMs, bytes, ...rest] = key.split('!');
  return {
    ...{ seq: Number(seq), instanceId: Number(instanceId), atMs: Number(atMs), bytes: Number(bytes) },
    messageId: rest.join('!'),
  };
}

function storedOf({ message: { payload, ...message }, error, attempts }: DeadLetter): StoredLetter {
  return { message, payload: payload.toString('base64'), error: error.slice(0, ERROR_LENGTH), attempts };
}
