import type { BrokerDriver } from '@libs/domain';
import type { BrokerSetting, BrokerSettings } from './broker-setting.js';
import { brokerSettings, crossRules } from './broker-tables.js';
import type { CrossRule } from './cross-rule.js';
import { describeSetting, wordsOf, type SchemaEntry, type SchemaRule, type SchemaSection } from './schema-entry.js';

const SECTIONS: Record<string, { name: string; description: string }> = {
  mqtt: { name: 'MQTT', description: 'MQTT, over TCP and over WebSocket.' },
  jetstream: { name: 'JetStream', description: 'Where messages are kept.' },
  http: { name: 'HTTP', description: 'The HTTP port of a node.' },
  websocket: { name: 'WebSocket', description: 'The WebSocket port of a node.' },
  tcp: { name: 'TCP', description: 'The TCP port of a node.' },
  quic: { name: 'QUIC', description: 'The UDP port of a node, where the deployment offers it.' },
  consumer_group: { name: 'Consumer groups', description: 'Members of groups, and how they share partitions.' },
  personal_access_token: { name: 'Access tokens', description: 'Tokens that users keep.' },
  heartbeat: { name: 'Heartbeat', description: 'How clients show that they live.' },
  data_maintenance: { name: 'Maintenance', description: 'What is removed by the clock.' },
  logging: { name: 'Logging', description: 'The log of the broker.' },
  telemetry: { name: 'Telemetry', description: 'Logs and traces, sent to a collector of yours.' },
  memory_pool: { name: 'Memory pool', description: 'Memory that the broker keeps for buffers.' },
  sharding: { name: 'Sharding', description: 'How the broker shares its work out to processors, and how it stops.' },
  metadata: { name: 'Metadata', description: 'The journal of streams, topics and users.' },
  partition: { name: 'Partitions', description: 'The logs of single partitions.' },
  message_bus: { name: 'Message bus', description: 'Connections of clients and of nodes.' },
  cluster: { name: 'Cluster', description: 'How the nodes of a deployment agree.' },
  external_auth: { name: 'External sign-in', description: 'A service of yours that is asked about logins.' },
  path: { name: 'Data', description: 'Where a node keeps its data.' },
  node: { name: 'Node', description: 'What a node tells clients of itself.' },
  runtime: { name: 'Runtime', description: 'What a node forgets when it starts.' },
  encryption: { name: 'Encryption', description: 'Encryption of what is on disk.' },
};

/** The schema of a driver's release, by section, in the order of the table. */
export function brokerSchema(driver: BrokerDriver, release: string): SchemaSection[] {
  const settings = brokerSettings(driver, release);
  const rules = crossRules(driver, release);
  const sections = new Map<string, SchemaEntry[]>();
  for (const [key, setting] of Object.entries(settings)) {
    const [section = ''] = key.split('.');
    sections.set(section, [...(sections.get(section) ?? []), toEntry(key, setting, settings, rules)]);
  }
  return [...sections].map(([key, schema]) => ({
    key,
    ...(SECTIONS[key] ?? { name: wordsOf(key), description: '' }),
    schema,
  }));
}

function toEntry(key: string, setting: BrokerSetting, settings: BrokerSettings, rules: CrossRule[]): SchemaEntry {
  const required = requirementOf(key, setting, settings);
  const requirements = required === null ? [] : [{ key: required, value: true }];
  return describeSetting(key.slice(key.indexOf('.') + 1), setting, requirements, rulesAbout(key, rules));
}

/** The nearest parent flag that enables the key, so that a form can hide keys without effect. */
function requirementOf(key: string, { requires }: BrokerSetting, settings: BrokerSettings): string | null {
  if (requires !== undefined) return requires;
  const parts = key.split('.');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const flag = [...parts.slice(0, length), 'enabled'].join('.');
    if (flag !== key && Object.hasOwn(settings, flag)) return flag;
  }
  return null;
}

const rulesAbout = (key: string, rules: CrossRule[]): SchemaRule[] =>
  rules
    .filter(({ keys }) => keys.includes(key))
    .map(({ name, keys: [first], reason }) => ({ rule: name, value: first === key ? reason : `${first} ${reason}` }));
