import { crc32 } from 'node:zlib';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { MessageRefused } from '../../delivery/message-refused.js';
import { mapped, valueOf, type Mapped } from '../payloads.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome } from '../plugin.js';

/** The messages of one request. */
export interface HttpBody {
  messages: readonly ConnectorMessage[];
  content: string | Buffer;
  contentType: string;
}

/** Messages that share a request, with the content of each. */
export interface HttpGroup extends Pick<HttpBody, 'messages'> {
  contents: ReadonlyMap<ConnectorMessage, string | Buffer>;
}

type Content = Mapped<string | Buffer>;

const MODES = ['individual', 'ndjson', 'json_array', 'raw'] as const;
const LARGEST_BYTES = 10 * 1024 * 1024;

/**
 * Builds request bodies from messages. The metadata has no offset and no partition, because these brokers have neither. The
 * checksum is CRC 32.
 */
export class HttpBodies {
  private readonly mode: (typeof MODES)[number];
  private readonly hasMetadata: boolean;
  private readonly hasChecksum: boolean;
  private readonly largestBytes: number;

  constructor(options: PluginOptions) {
    this.mode = options.choice('batch_mode', MODES, 'individual');
    this.hasMetadata = options.flag('include_metadata', true);
    this.hasChecksum = options.flag('include_checksum', false);
    this.largestBytes = options.count('max_payload_size_bytes', LARGEST_BYTES) || Infinity;
  }

  /** Groups messages into requests, in order. Reports messages that cannot be sent as refused. */
  async *of(messages: readonly ConnectorMessage[], outcome: Outcome): AsyncGenerator<HttpGroup> {
    const isBatch = this.mode === 'ndjson' || this.mode === 'json_array';
    const contents = await mapped(messages, (message) => this.contentOf(message), outcome);
    let group: Content[] = [];
    let bytes = 0;
    for (const content of contents) {
      const size = Buffer.byteLength(content.value) + 1;
      // The brackets of an array count too.
      const isFull = !isBatch || bytes + size + 1 > this.largestBytes;
      if (group.length > 0 && isFull) {
        yield grouped(group);
        [group, bytes] = [[], 0];
      }
      group.push(content);
      bytes += size;
    }
    if (group.length > 0) yield grouped(group);
  }

  /** The body of some messages of a group. */
  join({ contents }: HttpGroup, messages: readonly ConnectorMessage[]): HttpBody {
    const [first = '', ...more] = messages.map((message) => contents.get(message) ?? '');
    if (this.mode === 'raw') return { messages, content: first, contentType: 'application/octet-stream' };
    if (this.mode === 'individual') return { messages, content: first, contentType: 'application/json' };
    return this.mode === 'ndjson'
      ? { messages, content: `${[first, ...more].join('\n')}\n`, contentType: 'application/x-ndjson' }
      : { messages, content: `[${[first, ...more].join(',')}]`, contentType: 'application/json' };
  }

  /** @throws MessageRefused */
  private contentOf(message: ConnectorMessage): string | Buffer {
    const content = this.mode === 'raw' ? message.payload : this.written(message);
    if (Buffer.byteLength(content) <= this.largestBytes) return content;
    throw new MessageRefused('the body is larger than max_payload_size_bytes');
  }

  private written(message: ConnectorMessage): string {
    const payload = valueOf(message);
    return JSON.stringify(this.hasMetadata ? { metadata: this.metadata(message), payload } : payload);
  }

  private metadata({ id, stream, topic, schema, takenAtMs, payload }: ConnectorMessage): Record<string, unknown> {
    const checksum = this.hasChecksum && { checksum: crc32(payload) };
    return { id, stream, topic, schema, timestamp: takenAtMs * 1000, ...checksum };
  }
}

function grouped(contents: readonly Content[]): HttpGroup {
  return {
    messages: contents.map(({ message }) => message),
    contents: new Map(contents.map(({ message, value }) => [message, value])),
  };
}
