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
export function settingValues<T extends PlainSettings>(settings: T, given: Record<string, unknown>): ValuesOf<T> {
  const entries = Object.entries(settings).map(([name, setting]) => [name, valueOf(setting, given[name])]);
  return Object.fromEntries(entries) as ValuesOf<T>;
}

export const embeddedValues = (given: Record<string, unknown>): EmbeddedValues =>
  settingValues(EMBEDDED_SETTINGS, given);
export const natsValues = (given: Record<string, unknown>): NatsValues => settingValues(NATS_SETTINGS, given);

/**
 * Whether nodes of a release have no open port for a protocol: a configuration closes it with `http.enabled` or `websocket.enabled`, or
 * the gate does not know the frames of the release.
 */
export function closesPort(
  { driver, release }: { driver: BrokerDriver; release: string },
  protocol: 'tcp' | 'http' | 'websocket',
  given: Readonly<Record<string, unknown>>,
): boolean {
  if (driver === 'iggy' && !isProvenIggy(release)) return protocol !== 'http';
  const key = `${protocol}.enabled`;
  const setting = brokerSettings(driver, release)[key];
  if (setting === undefined) return false;
  return (typeof given[key] === 'boolean' ? given[key] : setting.default) === false;
}

function valueOf(setting: BrokerSetting<number | boolean>, given: unknown): number | boolean {
  if (!setting.editable || typeof given !== typeof setting.default) return setting.default;
  if (typeof given === 'boolean') return given;
  if (typeof given !== 'number' || !Number.isFinite(given)) return setting.default;
  return Math.min(Math.max(Math.trunc(given), setting.min ?? 0), setting.max ?? Number.MAX_SAFE_INTEGER);
}
