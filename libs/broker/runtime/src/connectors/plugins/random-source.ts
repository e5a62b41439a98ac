import { createHash } from 'node:crypto';
import { ConnectorFault } from '../delivery/connector-fault.js';
import type { PluginOptions } from './plugin-options.js';
import type { SourcePlugin } from './plugin.js';

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

  constructor(options: PluginOptions) {
    this.intervalMs = Math.max(options.duration('interval', INTERVAL_MS), SHORTEST_INTERVAL_MS);
    this.maxCount = options.optionalCount('max_count');
    this.payloadBytes = Math.min(options.count('payload_size', PAYLOAD_BYTES), LARGEST_PAYLOAD_BYTES);
    const [least, most, ...rest] = options.counts('messages_range', RANGE);
    if (least === undefined || most === undefined || rest.length > 0 || least > most || most === 0)
      throw new ConnectorFault('plugin_config.messages_range must be two numbers, the lower number first');
    this.range = [least, Math.min(most, MOST_AT_ONCE)];
  }

  due(next: number): number {
    const [least, most] = this.range;
    const some = Math.max(1, least + Math.floor(Math.random() * (most - least + 1)));
    return this.maxCount === null ? some : Math.max(0, Math.min(some, this.maxCount - next));
  }

  make(number: number, id: string): Record<string, unknown> {
    return { sequence: number, text: textOf(id, this.payloadBytes) };
  }
}

/** Looks random but depends only on the id, so that a repeated message is equal. */
function textOf(id: string, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part++)
    text += createHash('sha256').update(`${id} ${part}`).digest('base64url');
  return text.slice(0, length);
}
