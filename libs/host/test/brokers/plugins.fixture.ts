import { JsonLog } from '../../src/os/json-log.js';
import type { ConnectorMessage } from '../../src/connectors/delivery/connector-message.js';
import type { Outcome, PluginContext, SinkPlugin } from '../../src/connectors/plugins/plugin.js';

export const A_CONTEXT: PluginContext = { log: new JsonLog({}), allowPrivate: true, idPrefix: '7-2-' };

let lastUs = 1_700_000_000_000_000;

/** A message as the broker delivered it. */
export const aMessage = (id: string, value: unknown, more: Partial<ConnectorMessage> = {}): ConnectorMessage => ({
  ...{ id, stream: 'demo', topic: 'numbers', schema: 'json', takenAtMs: 1_700_000_000_000, takenAtUs: (lastUs += 1) },
  payload: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  ...more,
});

/** A sink with the results of its deliveries. */
export class SinkUnderTest {
  readonly taken: string[] = [];
  /** Reasons by message id. */
  readonly refused: Record<string, string> = {};

  constructor(readonly plugin: SinkPlugin) {}

  deliver(...messages: ConnectorMessage[]): Promise<void> {
    const outcome: Outcome = {
      taken: async (some) => void this.taken.push(...some.map(({ id }) => id)),
      refused: async (some) => some.forEach(({ message, reason }) => (this.refused[message.id] = reason)),
    };
    return this.plugin.deliver(messages, outcome, new AbortController().signal);
  }
}
