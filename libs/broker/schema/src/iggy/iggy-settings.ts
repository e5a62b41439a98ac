import type { BrokerSetting, BrokerSettings } from '../broker-setting.js';
import {
  IGGY_EXTERNAL_AUTH,
  IGGY_HTTP,
  IGGY_QUIC,
  IGGY_SESSIONS,
  IGGY_TCP,
  IGGY_WEBSOCKET,
} from './client-settings.js';
import { IGGY_LOGGING, IGGY_MEMORY, IGGY_PATHS, IGGY_SHARDING, IGGY_TELEMETRY, IGGY_UPKEEP } from './node-settings.js';
import { IGGY_CLUSTER, IGGY_MESSAGE_BUS, IGGY_METADATA, IGGY_PARTITION } from './replication-settings.js';

/** The settings of Apache Iggy 0.10 and later. */
export const IGGY_0_10_SETTINGS: BrokerSettings = {
  ...IGGY_TCP,
  ...IGGY_QUIC,
  ...IGGY_HTTP,
  ...IGGY_WEBSOCKET,
  ...IGGY_SESSIONS,
  ...IGGY_UPKEEP,
  ...IGGY_LOGGING,
  ...IGGY_TELEMETRY,
  ...IGGY_MEMORY,
  ...IGGY_SHARDING,
  ...IGGY_METADATA,
  ...IGGY_PARTITION,
  ...IGGY_MESSAGE_BUS,
  ...IGGY_CLUSTER,
  ...IGGY_EXTERNAL_AUTH,
  ...IGGY_PATHS,
};

/** Keys that were added after the first builds of 0.9. Releases of 0.9 refuse to start with an unknown section. */
const SINCE_0_10 = (key: string): boolean =>
  key.startsWith('external_auth.') ||
  key.startsWith('partition.wal_') ||
  [
    'consumer_group.session_timeout',
    'metadata.partitions_max',
    'message_bus.connections_max',
    'message_bus.client_queue_capacity',
    'message_bus.replica_read_buffer_size',
  ].includes(key);

/** Releases before the new cluster implementation lack its sections. Of `sharding` they have only the CPU allocation. */
const SINCE_0_9 = (key: string): boolean =>
  ['metadata.', 'partition.', 'message_bus.', 'cluster.', 'node.'].some((section) => key.startsWith(section)) ||
  (key.startsWith('sharding.') && key !== 'sharding.cpu_allocation') ||
  key === 'consumer_group.heartbeat_interval';

export const IGGY_0_9_SETTINGS: BrokerSettings = {
  ...without(IGGY_0_10_SETTINGS, SINCE_0_10),
  ...changed(IGGY_0_10_SETTINGS, {
    'sharding.inbox_capacity': { default: 1_024 },
    'message_bus.peer_queue_capacity': { default: 256 },
    'message_bus.reconnect_period': { default: '5 s' },
    'partition.evicted_ring_capacity': { default: 4_096 },
    'partition.evicted_ring_bytes_max': { default: '16 MiB' },
  }),
};

export const IGGY_0_8_SETTINGS: BrokerSettings = {
  ...without(IGGY_0_9_SETTINGS, SINCE_0_9),
  ...changed(IGGY_0_10_SETTINGS, {
    'heartbeat.enabled': { default: false },
    'data_maintenance.messages.cleaner_enabled': { default: false },
    'logging.retention': { isZeroTaken: false, description: 'Age at which log files are removed.' },
  }),
};

function without(settings: BrokerSettings, isLeftOut: (key: string) => boolean): BrokerSettings {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !isLeftOut(key)));
}

function changed(settings: BrokerSettings, changes: Record<string, Partial<BrokerSetting>>): BrokerSettings {
  return Object.fromEntries(
    Object.entries(changes).map(([key, change]) => [key, { ...(settings[key] as BrokerSetting), ...change }]),
  );
}
