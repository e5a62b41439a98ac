import { OutboundClient, OutboundFailed, readDestination, type OutboundAnswer } from '@libs/outbound';
import { BrokerError } from '../../broker-error.js';
import { ConnectorFault } from '../delivery/connector-fault.js';
import type { ConnectorMessage } from '../delivery/connector-message.js';
import { HttpBodies, type HttpBody } from './http-bodies.js';
import { pause } from '../delivery/pause.js';
import type { PluginOptions } from './plugin-options.js';
import type { PluginContext, SinkPlugin, Taken } from './plugin.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const TRANSIENT = [408, 425, 429, 500, 502, 503, 504];
const SUCCESS = [200, 201, 202, 204];
const LONGEST_TIMEOUT_MS = 300_000;

/**
 * Sends messages to a URL. Differs from the upstream sink: a permanently refused message is not skipped but retried without a
 * limit, because skipping loses it. Only messages above the customer's size limit, or that do not match the schema, are
 * dropped. `max_connections` limits connections. Only one is used at a time, to keep the order.
 */
export class HttpSink implements SinkPlugin {
  private readonly url: string;
  private readonly method: (typeof METHODS)[number];
  private readonly timeoutMs: number;
  private readonly headers: Record<string, string>;
  private readonly health: (typeof METHODS)[number] | null;
  private readonly success: readonly number[];
  private readonly retries: { most: number; delayMs: number; factor: number; longestMs: number };
  private readonly isVerbose: boolean;
  private readonly bodies: HttpBodies;
  private readonly client: OutboundClient;

  constructor(
    options: PluginOptions,
    private readonly context: PluginContext,
  ) {
    this.url = urlOf(options.text('url'), context);
    this.method = options.choice('method', METHODS, 'POST');
    this.timeoutMs = Math.min(Math.max(options.duration('timeout', 30_000), 1), LONGEST_TIMEOUT_MS);
    this.headers = options.texts('headers');
    this.health = options.flag('health_check_enabled', false)
      ? options.choice('health_check_method', METHODS, 'HEAD')
      : null;
    this.success = options.counts('success_status_codes', SUCCESS);
    this.retries = {
      most: options.count('max_retries', 3),
      delayMs: options.duration('retry_delay', 1_000),
      factor: options.factor('retry_backoff_multiplier', 2),
      longestMs: options.duration('max_retry_delay', 30_000),
    };
    this.isVerbose = options.flag('verbose_logging', false);
    this.bodies = new HttpBodies(options, context.log);
    this.client = new OutboundClient({
      allowPrivate: context.allowPrivate,
      connections: options.count('max_connections', 10, 1),
      acceptInvalidCertificates: options.flag('tls_danger_accept_invalid_certs', false),
    });
  }

  get leftOut(): string | null {
    return this.bodies.leftOut;
  }

  async open(): Promise<void> {
    if (this.health === null) return;
    const { url, headers, timeoutMs } = this;
    const answer = await this.client.send({ url, method: this.health, headers, timeoutMs });
    if (!this.isSuccess(answer))
      throw new BrokerError(`the destination returned ${answer.status} for the health check`);
  }

  async deliver(messages: readonly ConnectorMessage[], taken: Taken, signal: AbortSignal): Promise<void> {
    for (const body of this.bodies.of(messages)) {
      if (signal.aborted) return;
      if (body.content !== null) await this.send(body, signal);
      await taken(body.messages);
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /** Sends, and retries with delays as configured. */
  private async send(body: HttpBody, signal: AbortSignal): Promise<void> {
    const { most, delayMs, factor, longestMs } = this.retries;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.attempt(body);
      if (outcome === null) return;
      if (attempt >= most || !outcome.isTransient || signal.aborted) throw new BrokerError(outcome.reason);
      const waitMs = Math.min(Math.max(delayMs * factor ** attempt, outcome.retryAfterMs), longestMs);
      await pause(waitMs, signal);
    }
  }

  /** Null when the destination accepted the messages. */
  private async attempt({ content, contentType, messages }: HttpBody) {
    const [first] = messages;
    const id: Record<string, string> = messages.length === 1 && first ? { 'ld-message-id': first.id } : {};
    const headers = { 'content-type': contentType, ...this.headers, ...id };
    // A body with GET and HEAD has no meaning (RFC 9110). Upstream sends it, so this sink does too.
    const request = { url: this.url, method: this.method, headers, timeoutMs: this.timeoutMs, body: content ?? '' };
    try {
      const answer = await this.client.send(request);
      if (this.isVerbose) this.context.log.info('sent', { messages: messages.length, status: answer.status });
      return this.isSuccess(answer) ? null : refusal(answer);
    } catch (error) {
      const isTransient = error instanceof OutboundFailed && error.failure !== 'redirect';
      return { reason: error instanceof Error ? error.message : String(error), isTransient, retryAfterMs: 0 };
    }
  }

  private isSuccess({ status }: OutboundAnswer): boolean {
    return this.success.includes(status);
  }
}

function refusal({ status, headers }: OutboundAnswer) {
  const seconds = Number(headers['retry-after']);
  return {
    reason: `the destination returned ${status}`,
    isTransient: TRANSIENT.includes(status),
    retryAfterMs: status === 429 && seconds > 0 ? seconds * 1000 : 0,
  };
}

/** Reports a bad URL at the start instead of with the first message. */
function urlOf(url: string, { allowPrivate }: PluginContext): string {
  try {
    return readDestination(url, { allowPrivate }).href;
  } catch (error) {
    throw new ConnectorFault(`plugin_config.url: ${(error as Error).message}`);
  }
}
