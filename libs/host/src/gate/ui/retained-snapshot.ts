import type { PayloadPreview } from './payload-preview.js';

/** Limits for one reading of the retained messages: their number, the stored parts of them, and their whole payloads. */
const MOST_RETAINED = 10_000;
const MOST_RETAINED_BYTES = 8 * 1024 * 1024;
const MOST_READ_BYTES = 64 * 1024 * 1024;

export interface RetainedMessage extends PayloadPreview {
  topic: string;
  qos: number;
}

export interface RetainedSnapshot {
  /** In the order of their topics. */
  messages: RetainedMessage[];
  /** False: there are more messages, which the limits exclude. */
  is_complete: boolean;
}

/** Collects retained messages up to the limits. */
export class RetainedCollector {
  private readonly messages: RetainedMessage[] = [];
  private bytes = 0;
  private readBytes = 0;
  private isFull = false;

  /** False when the limit is reached. */
  add({ topic, qos, payload, encoding, bytes, is_truncated }: RetainedMessage): boolean {
    this.bytes += topic.length + payload.length;
    this.readBytes += bytes;
    this.isFull ||=
      this.messages.length >= MOST_RETAINED || this.bytes > MOST_RETAINED_BYTES || this.readBytes > MOST_READ_BYTES;
    if (!this.isFull) this.messages.push({ topic, qos, payload, encoding, bytes, is_truncated });
    return !this.isFull;
  }

  snapshot(isComplete = true): RetainedSnapshot {
    const messages = this.messages.sort((one, other) => (one.topic < other.topic ? -1 : 1));
    return { messages, is_complete: isComplete && !this.isFull };
  }
}
