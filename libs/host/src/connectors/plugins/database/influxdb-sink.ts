import type { OutboundAnswer } from '@libs/outbound';
import { BrokerError } from '../../../control/broker-error.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { MessageRefused } from '../../delivery/message-refused.js';
import { partsOf, sendApart } from '../../delivery/send-apart.js';
import { below, jsonOf, returned, type HttpDestination } from '../http/http-destination.js';
import { serviceOf } from '../http/http-service.js';
import { mapped, membersOf } from '../payloads.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome, PluginContext, SinkPlugin } from '../plugin.js';

type Scalar = string | number | boolean;

const FORMATS = ['json', 'text', 'base64'] as const;
/** Answers about the points of a request. */
const OF_THE_POINTS = [400, 413, 422];

/**
 * Writes messages as points of InfluxDB. With the format json each member of a payload is a field. A point has the time at
 * which the node received the message. No two messages have the same time, so no point overwrites another. A repetition in the
 * same process overwrites its own point.
 */
export class InfluxdbSink implements SinkPlugin {
  private readonly http: HttpDestination;
  private readonly url: string;
  private readonly authorization: string;
  private readonly measurement: string;
  private readonly isNanos: boolean;
  private readonly batchSize: number;
  private readonly format: (typeof FORMATS)[number];
  private readonly hasMetadata: boolean;
  private readonly tags: readonly ('stream' | 'topic')[];

  constructor(options: PluginOptions, context: PluginContext) {
    const { base, http } = serviceOf(options, context);
    this.http = http;
    const version = options.choice('version', ['v2', 'v3'], 'v2');
    this.isNanos = options.choice('precision', ['us', 'ns'], 'us') === 'ns';
    this.measurement = options.textOr('measurement', 'messages');
    this.batchSize = options.count('batch_size', 500, 1);
    this.format = options.choice('payload_format', FORMATS, 'json');
    this.hasMetadata = options.flag('include_metadata', true);
    this.tags = [
      ...(options.flag('include_stream_tag', true) ? (['stream'] as const) : []),
      ...(options.flag('include_topic_tag', true) ? (['topic'] as const) : []),
    ];
    const token = options.text('token');
    this.authorization = version === 'v2' ? `Token ${token}` : `Bearer ${token}`;
    this.url = version === 'v2' ? this.urlOfV2(base, options) : this.urlOfV3(base, options);
  }

  /** The service has no request that checks the write access without a write. The first batch finds a wrong token. */
  async open(): Promise<void> {}

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    for (const part of partsOf(messages, this.batchSize)) {
      const all = await mapped(part, (message) => this.point(message), outcome);
      const points = new Map(all.map(({ message, value }) => [message, value]));
      const write = (some: readonly ConnectorMessage[]): Promise<void> =>
        this.write(some.map((message) => points.get(message) ?? '').join('\n'), signal);
      await sendApart([...points.keys()], write, outcome, signal);
    }
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  private urlOfV2(base: URL, options: PluginOptions): string {
    const [org, bucket] = [options.text('org'), options.text('bucket')];
    return below(base, ['api', 'v2', 'write'], { org, bucket, precision: this.isNanos ? 'ns' : 'us' });
  }

  /** A batch with one wrong point is refused as a whole, so that its halves show which point it is. */
  private urlOfV3(base: URL, options: PluginOptions): string {
    const precision = this.isNanos ? 'nanosecond' : 'microsecond';
    return below(base, ['api', 'v3', 'write_lp'], { db: options.text('db'), precision, accept_partial: 'false' });
  }

  private async write(body: string, signal: AbortSignal): Promise<void> {
    const headers = { 'content-type': 'text/plain; charset=utf-8', authorization: this.authorization };
    const answer = await this.http.request({ url: this.url, method: 'POST', headers, body }, signal);
    if (answer.status >= 200 && answer.status < 300) return;
    const reason = failure(answer);
    throw OF_THE_POINTS.includes(answer.status) ? new MessageRefused(reason) : new BrokerError(reason);
  }

  /** A line of the line protocol. @throws MessageRefused */
  private point(message: ConnectorMessage): string {
    const tags = this.tags.map((tag) => `,${tag}=${escaped(message[tag])}`);
    const metadata = this.hasMetadata && { ld_message_id: message.id };
    const fields = Object.entries({ ...this.fields(message), ...metadata });
    const written = fields.map(([name, value]) => `${escaped(name)}=${fieldOf(value)}`);
    if (written.length === 0) throw new MessageRefused('the payload has no member that can be a field');
    const time = this.isNanos ? `${message.takenAtUs}000` : String(message.takenAtUs);
    return `${escaped(this.measurement)}${tags.join('')} ${written.join(',')} ${time}`;
  }

  private fields(message: ConnectorMessage): Record<string, Scalar> {
    if (this.format === 'text') return { payload: message.payload.toString('utf8') };
    if (this.format === 'base64') return { payload: message.payload.toString('base64') };
    const members = Object.entries(membersOf(message)).filter(([name, value]) => value !== null && name !== '');
    return Object.fromEntries(members.map(([name, value]) => [name, scalarOf(value)]));
  }
}

const scalarOf = (value: unknown): Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value);

/** Numbers are always floats, because a field that is an integer once cannot become a float later. */
function fieldOf(value: Scalar): string {
  if (typeof value !== 'string') return String(value);
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** A name, or the value of a tag. A line break would end the point. */
function escaped(text: string): string {
  if (/[\n\r]/.test(text)) throw new MessageRefused('the name of a member has a line break');
  return text.replaceAll('\\', '\\\\').replaceAll(/[,= ]/g, String.raw`\$&`);
}

function failure(answer: OutboundAnswer): string {
  const { message, error } = (jsonOf(answer) ?? {}) as { message?: unknown; error?: unknown };
  const reason = message ?? error;
  return typeof reason === 'string' ? `${returned(answer)}: ${reason.slice(0, 300)}` : returned(answer);
}
