import type { IggyAdmin } from '../../brokers/iggy/server/iggy-admin.js';
import type { OnArrival } from '../delivery/session.js';
import { idIn } from '../delivery/connector-message.js';
import { pause } from '../delivery/pause.js';
import { absentAs } from './iggy-topics.js';

/** Messages of one poll. */
const MOST_MESSAGES = 100;
/** Waits after an empty poll: the first one, and the longest. */
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;

interface Polled {
  /** Of the newest message of the partition. */
  current_offset: number;
  messages: { header: { offset: number; timestamp: number }; payload: string }[];
}

/** What a reader reads, and for whom. */
export interface ReadPlace {
  /** Path of the topic in the HTTP interface. */
  path: string;
  /** `<stream>/<topic>`. */
  topic: string;
  partition: number;
  /** The consumer whose offset the server stores. */
  consumer: string;
}

/** Reads one partition in order. Stores the offset up to which all messages are acknowledged. */
export class PartitionReader {
  private next = 0;
  /** Offsets that are read and not acknowledged. */
  private readonly open = new Set<number>();
  private storing: Promise<void> = Promise.resolve();
  private isStoring = false;
  private stored = -1;
  private newest = -1;
  private waitMs = FIRST_WAIT_MS;

  constructor(
    private readonly admin: IggyAdmin,
    private readonly place: ReadPlace,
    private readonly onArrival: OnArrival,
  ) {}

  /** Messages of the partition that are not acknowledged, as of the last poll. */
  get waiting(): number {
    return this.open.size + Math.max(0, this.newest - this.next + 1);
  }

  /** Resolves after the signal aborted. Rejects when the server does not answer or refuses. */
  async run(signal: AbortSignal): Promise<void> {
    this.stored = await this.storedOffset();
    this.next = this.stored + 1;
    while (!signal.aborted) {
      const { messages, current_offset: newest } = await this.poll();
      // The server names offset 0 for an empty partition as well.
      this.newest = messages.length > 0 ? newest : this.next - 1;
      for (const { header, payload } of messages) {
        if (signal.aborted) return;
        await this.arrive(header.offset, header.timestamp, Buffer.from(payload, 'base64'));
      }
      this.waitMs = messages.length > 0 ? FIRST_WAIT_MS : Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
      if (messages.length === 0) await pause(this.waitMs, signal);
    }
    await this.storing;
  }

  private poll(): Promise<Polled> {
    const { path, partition, consumer } = this.place;
    const at = `kind=offset&value=${this.next}&count=${MOST_MESSAGES}&auto_commit=false`;
    return this.admin.ask<Polled>('GET', `${path}/messages?consumer_id=${consumer}&partition_id=${partition}&${at}`);
  }

  /** -1 when the consumer has never stored one. */
  private async storedOffset(): Promise<number> {
    const { path, partition, consumer } = this.place;
    const query = `consumer_id=${consumer}&partition_id=${partition}`;
    const answer = await absentAs(null, () =>
      this.admin.ask<{ stored_offset: number } | null>('GET', `${path}/consumer-offsets?${query}`),
    );
    return answer?.stored_offset ?? -1;
  }

  /**
   * The server gives an offset again only after it lost messages, and then with another time. Messages of one request have equal
   * times, so the offset makes them different.
   */
  private async arrive(offset: number, timestampUs: number, payload: Buffer): Promise<void> {
    const { topic, partition } = this.place;
    this.open.add(offset);
    this.next = offset + 1;
    await this.onArrival({
      topic,
      payload,
      key: idIn(payload) ?? `${topic.replace(/[^\x21-\x7e]/g, '_')}-${partition}-${offset}-${timestampUs}`,
      isComparable: true,
      takenAtUs: timestampUs + (offset % 1_000),
      acknowledge: () => this.acknowledge(offset),
    });
  }

  private acknowledge(offset: number): void {
    this.open.delete(offset);
    if (this.isStoring) return;
    this.isStoring = true;
    // Acknowledgements that come during a request are stored by the next one.
    this.storing = this.storing.then(() => this.store());
  }

  private async store(): Promise<void> {
    this.isStoring = false;
    const { path, partition, consumer } = this.place;
    const offset = Math.min(this.next, ...this.open) - 1;
    if (offset <= this.stored) return;
    const body = { consumer_id: consumer, partition_id: partition, offset };
    // A lost request repeats messages, which the record of deliveries recognizes.
    await this.admin.ask('PUT', `${path}/consumer-offsets`, body).then(
      () => (this.stored = offset),
      () => undefined,
    );
  }
}
