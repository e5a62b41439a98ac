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
  quic: { name: 'QUIC', description: 'The UDP port of a node, if the deployment offers UDP.' },
  consumer_group: { name: 'Consumer groups', description: 'How the members of a group share partitions.' },
  personal_access_token: { name: 'Access tokens', description: 'Tokens that users create for themselves.' },
  heartbeat: { name: 'Heartbeat', description: 'How the broker notices lost clients.' },
  data_maintenance: { name: 'Maintenance', description: 'What the broker deletes by itself.' },
  message_saver: { name: 'Message saver', description: 'A timer that saves messages.' },
  system: { name: 'System', description: 'Storage, log, memory and CPUs of the broker.' },
  telemetry: { name: 'Telemetry', description: 'Logs and traces for a collector.' },
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
