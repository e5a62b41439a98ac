import type { BrokerDriver } from '@libs/domain';
import type { BrokerSettings } from './broker-setting.js';
import { compareReleases } from './compare-releases.js';
import type { CrossRule } from './cross-rule.js';
import { EMBEDDED_SETTINGS } from './embedded-settings.js';
import { IGGY_RULES } from './iggy/iggy-rules.js';
import { IGGY_0_10_SETTINGS, IGGY_0_8_SETTINGS, IGGY_0_9_SETTINGS } from './iggy/iggy-settings.js';
import { NATS_2_10_SETTINGS, NATS_SETTINGS } from './nats-settings.js';

/** A release uses the table with the highest `since` that is not above the release. */
const TABLES: Record<BrokerDriver, { since: string; settings: BrokerSettings }[]> = {
  iggy: [
    { since: '0.10', settings: IGGY_0_10_SETTINGS },
    { since: '0.9', settings: IGGY_0_9_SETTINGS },
    { since: '0', settings: IGGY_0_8_SETTINGS },
  ],
  nats: [
    { since: '2.10.0', settings: NATS_2_10_SETTINGS },
    { since: '0', settings: NATS_SETTINGS },
  ],
  embedded: [{ since: '0', settings: EMBEDDED_SETTINGS }],
};
const RULES: Record<BrokerDriver, readonly CrossRule[]> = { iggy: IGGY_RULES, nats: [], embedded: [] };

/** The keys of a driver's release. A release newer than all known ones uses the newest table. */
export function brokerSettings(driver: BrokerDriver, release: string): BrokerSettings {
  return TABLES[driver].find(({ since }) => compareReleases(since, release) <= 0)?.settings ?? {};
}

/** The rules between keys of a driver's release: the rules whose keys the release has. */
export function crossRules(driver: BrokerDriver, release: string): CrossRule[] {
  const settings = brokerSettings(driver, release);
  return RULES[driver].filter(({ keys }) => keys.every((key) => Object.hasOwn(settings, key)));
}
