import type { BrokerDriver } from '@libs/domain';
import { isProvenIggy } from '@libs/domain/iggy-releases';
import type { BrokerSetting, PlainSettings, ValuesOf } from './broker-setting.js';
import { brokerSettings } from './broker-tables.js';
import { EMBEDDED_SETTINGS, type EmbeddedValues } from './embedded-settings.js';
import { NATS_SETTINGS, type NatsValues } from './nats-settings.js';

/**
 * Values with defaults, as a node uses them. Ignores unknown keys. A value of the wrong type counts as absent. A number outside
 * its range becomes the nearest bound. Validation has already reported these, and a running broker is more important.
 */
export function settingValues<T extends PlainSettings>(settings: T, values: Record<string, unknown>): ValuesOf<T> {
  const entries = Object.entries(settings).map(([name, setting]) => [name, valueOf(setting, values[name])]);
  return Object.fromEntries(entries) as ValuesOf<T>;
}

export const embeddedValues = (values: Record<string, unknown>): EmbeddedValues =>
  settingValues(EMBEDDED_SETTINGS, values);
export const natsValues = (values: Record<string, unknown>): NatsValues => settingValues(NATS_SETTINGS, values);

/**
 * Whether nodes of a release have no open port for a protocol: a configuration closes it with `http.enabled` or `websocket.enabled`, or
 * the gate does not know the frames of the release.
 */
export function closesPort(
  { driver, release }: { driver: BrokerDriver; release: string },
  protocol: 'tcp' | 'http' | 'websocket',
  values: Readonly<Record<string, unknown>>,
): boolean {
  if (driver === 'iggy' && !isProvenIggy(release)) return protocol !== 'http';
  const key = `${protocol}.enabled`;
  const setting = brokerSettings(driver, release)[key];
  if (setting === undefined) return false;
  return (typeof values[key] === 'boolean' ? values[key] : setting.default) === false;
}

function valueOf(setting: BrokerSetting<number | boolean>, value: unknown): number | boolean {
  if (!setting.editable || typeof value !== typeof setting.default) return setting.default;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return setting.default;
  return Math.min(Math.max(Math.trunc(value), setting.min ?? 0), setting.max ?? Number.MAX_SAFE_INTEGER);
}
