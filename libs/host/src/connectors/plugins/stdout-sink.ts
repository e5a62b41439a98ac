import type { ConnectorMessage } from '../delivery/connector-message.js';
import type { PluginOptions } from './plugin-options.js';
import type { Outcome, PluginContext, SinkPlugin } from './plugin.js';

/** Maximum number of payload bytes in a log line. */
const PRINTED_BYTES = 2_000;

/** Prints messages to the log of the connectors, which the API can read. */
export class StdoutSink implements SinkPlugin {
  private readonly printPayload: boolean;

  constructor(
    options: PluginOptions,
    private readonly context: PluginContext,
  ) {
    this.printPayload = options.flag('print_payload', false);
  }

  async open(): Promise<void> {}

  async deliver(messages: readonly ConnectorMessage[], outcome: Outcome): Promise<void> {
    for (const message of messages) this.print(message);
    await outcome.taken(messages);
  }

  async close(): Promise<void> {}

  private print({ id, stream, topic, schema, payload }: ConnectorMessage): void {
    const text = payload.subarray(0, PRINTED_BYTES).toString(schema === 'raw' ? 'base64' : 'utf8');
    const fields = { id, stream, topic, bytes: payload.length, ...(this.printPayload && { payload: text }) };
    this.context.log.info('message', fields);
  }
}
