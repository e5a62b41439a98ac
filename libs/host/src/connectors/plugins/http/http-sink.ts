import type { OutboundAnswer } from '@libs/outbound';
import { BrokerError } from '../../../control/broker-error.js';
import type { ConnectorMessage } from '../../delivery/connector-message.js';
import { MessageRefused } from '../../delivery/message-refused.js';
import { sendApart } from '../../delivery/send-apart.js';
import type { PluginOptions } from '../plugin-options.js';
import type { Outcome, PluginContext, SinkPlugin } from '../plugin.js';
import { HttpBodies, type HttpBody } from './http-bodies.js';
import { HttpDestination, returned, urlOf } from './http-destination.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const SUCCESS = [200, 201, 202, 204];
/** Answers about the content of a request. Others, such as 401 and 404, are about the destination. */
const CONTENT = [400, 409, 411, 413, 415, 422];

/**
 * Sends messages to a URL, one request after the other, to keep the order. A message whose content the destination refuses is
 * a dead letter. A destination that refuses everything is retried without a limit.
 */
export class HttpSink implements SinkPlugin {
  private readonly url: string;
  private readonly method: (typeof METHODS)[number];
  private readonly headers: Record<string, string>;
  private readonly health: (typeof METHODS)[number] | null;
  private readonly success: readonly number[];
  private readonly isVerbose: boolean;
  private readonly bodies: HttpBodies;
  private readonly destination: HttpDestination;

  constructor(
    options: PluginOptions,
    private readonly context: PluginContext,
  ) {
    this.url = urlOf('url', options.text('url'), context).href;
    this.method = options.choice('method', METHODS, 'POST');
    this.headers = options.texts('headers');
    this.health = options.flag('health_check_enabled', false)
      ? options.choice('health_check_method', METHODS, 'HEAD')
      : null;
    this.success = options.counts('success_status_codes', SUCCESS);
    this.isVerbose = options.flag('verbose_logging', false);
    this.bodies = new HttpBodies(options);
    const repetitions = {
      most: options.count('max_retries', 3),
      delayMs: options.duration('retry_delay', 1_000),
      factor: options.factor('retry_backoff_multiplier', 2),
      longestMs: options.duration('max_retry_delay', 30_000),
    };
    const acceptInvalidCertificates = options.flag('tls_danger_accept_invalid_certs', false);
    const timeoutMs = options.duration('timeout', 30_000);
    this.destination = new HttpDestination({ timeoutMs, repetitions, acceptInvalidCertificates }, context);
  }

  async open(): Promise<void> {
    if (this.health === null) return;
    const { url, headers, health: method } = this;
    const answer = await this.destination.request({ url, method, headers }, null, () => true);
    if (!this.isSuccess(answer)) throw new BrokerError(`${returned(answer)} for the health check`);
  }

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome, signal: AbortSignal): Promise<void> {
    for await (const body of this.bodies.of(messages, outcome)) {
      if (signal.aborted) return;
      await sendApart(body.messages, (part) => this.send(this.bodies.join(body, part), signal), outcome, signal);
    }
  }

  async close(): Promise<void> {
    await this.destination.close();
  }

  private async send({ content, contentType, messages }: HttpBody, signal: AbortSignal): Promise<void> {
    const [first] = messages;
    const id: Record<string, string> = messages.length === 1 && first ? { 'ld-message-id': first.id } : {};
    const headers = { 'content-type': contentType, ...this.headers, ...id };
    // A body with GET and HEAD has no meaning (RFC 9110). Upstream sends it, so this sink does too.
    const request = { url: this.url, method: this.method, headers, body: content };
    const answer = await this.destination.request(request, signal, (one) => this.isSuccess(one));
    if (this.isVerbose) this.context.log.info('sent', { messages: messages.length, status: answer.status });
    if (this.isSuccess(answer)) return;
    throw CONTENT.includes(answer.status) ? new MessageRefused(returned(answer)) : new BrokerError(returned(answer));
  }

  private isSuccess({ status }: OutboundAnswer): boolean {
    return this.success.includes(status);
  }
}
