import { crc32 } from 'node:zlib';
import type { JsonLog } from '../../json-log.js';
import type { ConnectorMessage } from '../delivery/connector-message.js';
import type { PluginOptions } from './plugin-options.js';

/** The messages of one request. `content` is null when all of them are dropped and nothing is sent. */
export interface HttpBody {
  messages: readonly ConnectorMessage[];
  content: string | Buffer | null;
  contentType: string;
}

const MODES = ['individual', 'ndjson', 'json_array', 'raw'] as const;
const LARGEST_BYTES = 10 * 1024 * 1024;

/**
 * Builds request bodies from messages. The metadata has no offset and no partition, because these brokers have neither. It has
 * no value for `include_origin_timestamp`, because MQTT 3.1.1 has no publish time. The checksum is CRC 32.
 */
export class HttpBodies {
  private readonly mode: (typeof MODES)[number];
  private readonly hasMetadata: boolean;
  private readonly hasChecksum: boolean;
  private readonly largestBytes: number;
  private left = 0;
  private lastReason = '';

  constructor(
    options: PluginOptions,
    private readonly log: JsonLog,
  ) {
    this.mode = options.choice('batch_mode', MODES, 'individual');
    this.hasMetadata = options.flag('include_metadata', true);
    this.hasChecksum = options.flag('include_checksum', false);
    options.flag('include_origin_timestamp', false);
    this.largestBytes = options.count('max_payload_size_bytes', LARGEST_BYTES) || Infinity;
  }

  /** Number of dropped messages since the start, as text. Null when none was dropped. */
  get leftOut(): string | null {
    return this.left === 0 ? null : `${this.left} messages were dropped. Reason for the last: ${this.lastReason}`;
  }

  *of(messages: readonly ConnectorMessage[]): Generator<HttpBody> {
    if (this.mode === 'raw') yield* messages.map((message) => this.rawOf(message));
    else if (this.mode === 'individual') yield* messages.map((message) => this.jsonOf([message], 'application/json'));
    else yield* this.batches(messages);
  }

  private rawOf(message: ConnectorMessage): HttpBody {
    return this.fitting({ messages: [message], content: message.payload, contentType: 'application/octet-stream' });
  }

  private jsonOf(messages: readonly ConnectorMessage[], contentType: string): HttpBody {
    const [text = null] = messages.map((message) => this.written(message));
    return this.fitting({ messages, content: text, contentType });
  }

  /** Puts as many messages into one request as the limit allows. */
  private *batches(messages: readonly ConnectorMessage[]): Generator<HttpBody> {
    let batch: { message: ConnectorMessage; text: string }[] = [];
    let bytes = 0;
    for (const message of messages) {
      const body = this.jsonOf([message], '');
      if (typeof body.content !== 'string') {
        if (batch.length > 0) yield this.joined(batch);
        [batch, bytes] = [[], 0];
        yield body;
        continue;
      }
      const size = Buffer.byteLength(body.content) + 1;
      // The brackets of an array count too.
      if (batch.length > 0 && bytes + size + 1 > this.largestBytes) {
        yield this.joined(batch);
        [batch, bytes] = [[], 0];
      }
      batch.push({ message, text: body.content });
      bytes += size;
    }
    if (batch.length > 0) yield this.joined(batch);
  }

  private joined(batch: { message: ConnectorMessage; text: string }[]): HttpBody {
    const messages = batch.map(({ message }) => message);
    const texts = batch.map(({ text }) => text);
    return this.mode === 'ndjson'
      ? { messages, content: `${texts.join('\n')}\n`, contentType: 'application/x-ndjson' }
      : { messages, content: `[${texts.join(',')}]`, contentType: 'application/json' };
  }

  /** Null, and counted as dropped, when the payload does not match the schema. */
  private written(message: ConnectorMessage): string | null {
    const payload = payloadOf(message);
    if (payload === undefined) {
      this.leaveOut([message], 'the payload is not JSON');
      return null;
    }
    return JSON.stringify(this.hasMetadata ? { metadata: this.metadata(message), payload } : payload);
  }

  private metadata({ id, stream, topic, schema, takenAtMs, payload }: ConnectorMessage): Record<string, unknown> {
    const checksum = this.hasChecksum && { checksum: crc32(payload) };
    return { id, stream, topic, schema, timestamp: takenAtMs * 1000, ...checksum };
  }

  private fitting(body: HttpBody): HttpBody {
    if (body.content === null || Buffer.byteLength(body.content) <= this.largestBytes) return body;
    this.leaveOut(body.messages, 'the body is larger than max_payload_size_bytes');
    return { ...body, content: null };
  }

  private leaveOut(messages: readonly ConnectorMessage[], reason: string): void {
    this.left += messages.length;
    this.lastReason = reason;
    for (const { id, stream, topic } of messages) this.log.error('message dropped', { id, stream, topic, reason });
  }
}

/** Undefined when the payload cannot be parsed. */
function payloadOf({ schema, payload }: ConnectorMessage): unknown {
  if (schema === 'text') return payload.toString('utf8');
  if (schema === 'raw') return { data: payload.toString('base64'), encoding: 'base64' };
  try {
    return JSON.parse(payload.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
