import { createHash } from 'node:crypto';
import { ConnectorFault } from '../delivery/connector-fault.js';
import type { PluginOptions } from './plugin-options.js';
import type { PluginContext, SourceBatch, SourcePlugin, SourcePosition } from './plugin.js';

const INTERVAL_MS = 1_000;
const SHORTEST_INTERVAL_MS = 10;
const RANGE = [10, 50] as const;
const PAYLOAD_BYTES = 100;
const LARGEST_PAYLOAD_BYTES = 1024 * 1024;
const MOST_AT_ONCE = 10_000;

/** Generates test messages: a random number of messages per interval, each with a text of a fixed size. */
export class RandomSource implements SourcePlugin {
  readonly intervalMs: number;
  private readonly maxCount: number | null;
  private readonly range: readonly [number, number];
  private readonly payloadBytes: number;
  /** Messages of the current interval that are not read yet. */
  private left = 0;

  constructor(
    options: PluginOptions,
    private readonly context: PluginContext,
  ) {
    this.intervalMs = Math.max(options.duration('interval', INTERVAL_MS), SHORTEST_INTERVAL_MS);
    this.maxCount = options.optionalCount('max_count');
    this.payloadBytes = Math.min(options.count('payload_size', PAYLOAD_BYTES), LARGEST_PAYLOAD_BYTES);
    const [least, most, ...rest] = options.counts('messages_range', RANGE);
    if (least === undefined || most === undefined || rest.length > 0 || least > most || most === 0)
      throw new ConnectorFault('plugin_config.messages_range must be two numbers, the lower number first');
    this.range = [least, Math.min(most, MOST_AT_ONCE)];
  }

  async read({ count }: SourcePosition, most: number): Promise<SourceBatch | null> {
    const remaining = this.maxCount === null ? Infinity : this.maxCount - count;
    if (remaining <= 0) return null;
    if (this.left === 0) this.left = this.due();
    const size = Math.min(this.left, most, remaining);
    this.left -= size;
    const messages = Array.from({ length: size }, (_, index) => this.make(count + index));
    return { messages, cursor: null, hasMore: this.left > 0 };
  }

  async settle(): Promise<void> {}

  async close(): Promise<void> {}

  private due(): number {
    const [least, most] = this.range;
    return Math.max(1, least + Math.floor(Math.random() * (most - least + 1)));
  }

  private make(number: number) {
    const id = `${this.context.idPrefix}${number}`;
    const text = textOf(id, this.payloadBytes);
    return { id, value: { sequence: number, text }, bytes: Buffer.from(`${id} ${text}`) };
  }
}

/** Looks random but depends only on the id, so that a repeated message is equal. */
function textOf(id: string, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part++)
    text += createHash('sha256').update(`${id} ${part}`).digest('base64url');
  return text.slice(0, length);
}
