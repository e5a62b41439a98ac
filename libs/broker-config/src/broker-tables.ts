import type { BrokerDriver } from '@libs/domain';
import { isProvenIggy } from '@libs/domain/iggy-releases';
import type { BrokerSettings } from './broker-setting.js';
import { compareReleases } from './compare-releases.js';
import type { CrossRule } from './cross-rule.js';
import { EMBEDDED_SETTINGS } from './embedded-settings.js';
import { IGGY_0_8_SETTINGS } from './iggy/iggy-0.8-settings.js';
import { IGGY_RULES } from './iggy/iggy-rules.js';
import { NATS_2_10_SETTINGS, NATS_SETTINGS } from './nats-settings.js';

interface BrokerTable {
  matches: (release: string) => boolean;
  settings: BrokerSettings;
}

const since =
  (first: string) =>
  (release: string): boolean =>
    compareReleases(first, release) <= 0;

/**
 * A release uses the first table that matches it. Each release line of iggy has other keys, and the server ignores keys that
 * it does not know. So a release of iggy without a table of its own line has no keys at all, and neither has a pre-release.
 */
const TABLES: Record<BrokerDriver, BrokerTable[]> = {
  iggy: [{ matches: isProvenIggy, settings: IGGY_0_8_SETTINGS }],
  nats: [
    { matches: since('2.10.0'), settings: NATS_2_10_SETTINGS },
    { matches: since('0'), settings: NATS_SETTINGS },
  ],
  embedded: [{ matches: since('0'), settings: EMBEDDED_SETTINGS }],
};
const NO_SETTINGS: BrokerSettings = {};
const RULES: Record<BrokerDriver, readonly CrossRule[]> = { iggy: IGGY_RULES, nats: [], embedded: [] };

/** The keys of a driver's release. Empty for a release of iggy that has no table. */
export function brokerSettings(driver: BrokerDriver, release: string): BrokerSettings {
  return TABLES[driver].find(({ matches }) => matches(release))?.settings ?? NO_SETTINGS;
}

/** Whether the keys of a driver's release are known. */
export const hasSettings = (driver: BrokerDriver, release: string): boolean =>
  brokerSettings(driver, release) !== NO_SETTINGS;

/** The rules between keys of a driver's release: the rules whose keys the release has. */
export function crossRules(driver: BrokerDriver, release: string): CrossRule[] {
  const settings = brokerSettings(driver, release);
  return RULES[driver].filter(({ keys }) => keys.every((key) => Object.hasOwn(settings, key)));
}
