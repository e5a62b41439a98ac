import type { BrokerSettings } from '../broker-setting.js';
import { IGGY_0_8_CONNECTIONS, IGGY_0_8_WEBSOCKET } from './iggy-0.8-connections.js';
import { IGGY_0_8_HTTP, IGGY_0_8_SESSIONS, IGGY_0_8_TELEMETRY } from './iggy-0.8-service.js';
import { withBrokerDefaults } from './iggy-kinds.js';
import { IGGY_0_8_DURABILITY, IGGY_0_8_LOGGING, IGGY_0_8_RESOURCES, IGGY_0_8_STORAGE } from './iggy-0.8-system.js';

/** The settings of Apache Iggy 0.8. The keys are those of the server, and so are the defaults without `brokerDefault`. */
export const IGGY_0_8_SETTINGS: BrokerSettings = withBrokerDefaults({
  ...IGGY_0_8_CONNECTIONS,
  ...IGGY_0_8_HTTP,
  ...IGGY_0_8_WEBSOCKET,
  ...IGGY_0_8_SESSIONS,
  ...IGGY_0_8_STORAGE,
  ...IGGY_0_8_DURABILITY,
  ...IGGY_0_8_LOGGING,
  ...IGGY_0_8_RESOURCES,
  ...IGGY_0_8_TELEMETRY,
});

/** Keys of the server that Landlord neither offers nor writes, by their start, with the reason. */
export const IGGY_0_8_LEFT_OUT: Readonly<Record<string, string>> = {
  'cluster.': 'This release does not replicate. The keys only tell clients the addresses of other brokers.',
};
