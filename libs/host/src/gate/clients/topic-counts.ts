/** Limits for the counts, so that a client with many or long topics cannot fill the memory. */
const TOPICS_COUNTED = 10_000;
const TOPIC_BYTES = 512;

/** Messages per topic since the start of the process. Counts at most 10,000 topics of at most 512 bytes. */
export class TopicCounts {
  readonly since = new Date().toISOString();
  private readonly counts = new Map<string, number>();
  private uncountedMessages = 0;

  /** Counts a published message. */
  add(topic: string): void {
    const topicCount = this.counts.get(topic);
    if (topicCount !== undefined) this.counts.set(topic, topicCount + 1);
    else if (this.canList(topic)) this.counts.set(topic, 1);
    else this.uncountedMessages += 1;
  }

  /** Lists a topic without a message, such as the topic of a retained message from an earlier start. */
  note(topic: string): void {
    if (!this.counts.has(topic) && this.canList(topic)) this.counts.set(topic, 0);
  }

  /** The number of listed topics. */
  get size(): number {
    return this.counts.size;
  }

  /** Messages on topics above the limits. */
  get uncounted(): number {
    return this.uncountedMessages;
  }

  entries(): IterableIterator<[string, number]> {
    return this.counts.entries();
  }

  private canList(topic: string): boolean {
    return this.counts.size < TOPICS_COUNTED && Buffer.byteLength(topic) <= TOPIC_BYTES;
  }
}

/** The bytes of a PUBLISH packet that are necessary to read a topic of the largest listed length. */
export const TOPIC_HEAD_BYTES = 2 + TOPIC_BYTES + 1;
