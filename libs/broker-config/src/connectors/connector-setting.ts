import type { BrokerSetting } from '../broker-setting.js';
import { choice, count, list, text } from '../setting-kinds.js';

/** When a key of a plugin is required: always, or while another key has a value. Applies only to enabled connectors. */
export type Requirement = 'always' | { key: string; is: string };

/** One key of `plugin_config`. */
export interface ConnectorSetting extends BrokerSetting {
  required?: Requirement;
  /** What takes the key, for clients that send it, and does nothing with it: the runtime of the connector, as the catalogue names it. */
  ignoredBy?: string;
  /** A URL that nodes send to. It must not lead into a network that does not belong to the customer. */
  isDestination?: boolean;
  /** A URL of a service that gets the secrets of the configuration. When it changes, stored secrets are not kept. */
  isAddress?: boolean;
}
export type ConnectorSettings = Record<string, ConnectorSetting>;

const base = (description: string) =>
  ({ owner: 'user', secret: false, editable: true, restart_required: true, description }) as const;

export const required = (setting: ConnectorSetting): ConnectorSetting => ({ ...setting, required: 'always' });
export const requiredWhen = (key: string, is: string, setting: BrokerSetting): ConnectorSetting => ({
  ...setting,
  required: { key, is },
});
export const secret = (setting: BrokerSetting): BrokerSetting => ({ ...setting, secret: true });

/** A text without a default. */
export const word = (description: string): BrokerSetting => text(null, description);
export const longText = (description: string, longest = 8_000): BrokerSetting => ({ ...word(description), longest });
/** The URL of a service. Credentials belong into masked keys. */
export const address = (description: string): ConnectorSetting => ({
  ...text(null, description, {
    pattern: /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/,
    reason: 'must be a URL such as https://service.example.com, without user and password',
  }),
  isAddress: true,
});
export const destination = (setting: ConnectorSetting): ConnectorSetting => ({
  ...setting,
  isDestination: true,
  isAddress: true,
});
/** One of several choices, without a default. */
export const oneOf = (choices: readonly string[], description: string): BrokerSetting => ({
  ...choice(choices[0] ?? '', choices, description),
  default: null,
});
export const names = (description: string): BrokerSetting => ({
  ...list([], description),
  default: null,
  entries: [1, 100],
});

export const fraction = (description: string, min: number, max: number): BrokerSetting => ({
  ...base(description),
  ...{ kind: 'number', default: null, min, max },
});
export const integers = (
  value: readonly number[],
  description: string,
  bounds: { min: number; max: number; entries: readonly [number, number] },
): BrokerSetting => ({ ...base(description), ...{ kind: 'integers', default: value }, ...bounds });
/** Numbers of which each is larger than the one before. */
export const growing = (setting: ConnectorSetting | undefined): ConnectorSetting => ({
  ...integers([], '', { min: 0, max: 0, entries: [0, 0] }),
  ...setting,
  isGrowing: true,
});
export const map = (description: string): BrokerSetting => ({
  ...base(description),
  ...{ kind: 'map', default: null },
});
export const json = (description: string): BrokerSetting => ({
  ...base(description),
  ...{ kind: 'json', default: null },
});

/** Keys that many plugins share, with a default per plugin. */
export const messagesPerBatch = (value: number | null): BrokerSetting =>
  count(value, 'Messages that are handed over at once.', { min: 1, max: 1_000_000 });
export const retries = (value: number): BrokerSetting =>
  count(value, 'Attempts after the first one that failed.', { max: 1_000 });
export const openRetries = (value: number): BrokerSetting =>
  count(value, 'Attempts to reach the service at the start.', { max: 1_000 });
