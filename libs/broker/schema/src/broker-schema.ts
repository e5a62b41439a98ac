import type { BrokerDriver } from '@libs/domain';
import type { BrokerSetting, BrokerSettings } from './broker-setting.js';
import { compareReleases } from './compare-releases.js';
import { EMBEDDED_SETTINGS } from './embedded-settings.js';
import { NATS_2_10_SETTINGS, NATS_SETTINGS } from './nats-settings.js';

/** A bound of a value, in the contract's words. */
export interface SchemaRule {
  rule: 'minimum' | 'maximum';
  value: number;
}

/** One key as the API describes it (spec, "Configuration"). */
export interface SchemaEntry {
  /** The key in `values`, section included. */
  key: string;
  name: string;
  description: string;
  default_value: number | boolean;
  kind: 'integer' | 'boolean';
  /** Of the value; null for a plain count or a flag. */
  unit: 'bytes' | 'seconds' | null;
  editable: boolean;
  /** Stored and sent like a password. No key of these brokers is one: their credentials are not configuration. */
  secret: boolean;
  /** Keys that must have a value for this one to count. */
  requirements: { key: string; value: number | boolean }[];
  rules: SchemaRule[];
  restart_required: boolean;
}

export interface SchemaSection {
  name: string;
  description: string;
  schema: SchemaEntry[];
}

/** Which table a release takes: the one with the highest `since` that is not above it. */
const TABLES: Record<BrokerDriver, { since: string; settings: BrokerSettings }[]> = {
  iggy: [],
  nats: [
    { since: '2.10.0', settings: NATS_2_10_SETTINGS },
    { since: '0', settings: NATS_SETTINGS },
  ],
  embedded: [{ since: '0', settings: EMBEDDED_SETTINGS }],
};

const SECTIONS: Record<string, string> = {
  mqtt: 'MQTT, over TCP and over WebSocket.',
  jetstream: 'Where messages are kept.',
  http: 'The HTTP port of a node.',
  websocket: 'The WebSocket port of a node.',
};

/** The keys of a driver's release; none for a driver that has no schema here. */
export function brokerSettings(driver: BrokerDriver, release: string): BrokerSettings {
  return TABLES[driver].find(({ since }) => compareReleases(since, release) <= 0)?.settings ?? {};
}

/** The schema of a driver's release, by sections, in the order of the table. */
export function brokerSchema(driver: BrokerDriver, release: string): SchemaSection[] {
  const sections = new Map<string, SchemaEntry[]>();
  for (const [key, setting] of Object.entries(brokerSettings(driver, release))) {
    const [section = ''] = key.split('.');
    sections.set(section, [...(sections.get(section) ?? []), toEntry(key, setting)]);
  }
  return [...sections].map(([name, schema]) => ({ name, description: SECTIONS[name] ?? '', schema }));
}

function toEntry(key: string, setting: BrokerSetting): SchemaEntry {
  return {
    key,
    name: nameOf(key),
    description: setting.description,
    default_value: setting.default,
    kind: typeof setting.default === 'boolean' ? 'boolean' : 'integer',
    unit: setting.unit ?? null,
    editable: setting.editable,
    secret: false,
    requirements: [],
    rules: rulesOf(setting),
    restart_required: setting.restart_required,
  };
}

/** `mqtt.max_packet_size` is called "Max packet size". */
function nameOf(key: string): string {
  const words = key.slice(key.indexOf('.') + 1).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function rulesOf({ min, max }: BrokerSetting): SchemaRule[] {
  const rules: SchemaRule[] = [];
  if (min !== undefined) rules.push({ rule: 'minimum', value: min });
  if (max !== undefined) rules.push({ rule: 'maximum', value: max });
  return rules;
}
