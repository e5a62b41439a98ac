import { describeSetting, type SchemaEntry, type SchemaRule, type SchemaSection } from '../schema-entry.js';
import type { ConnectorPlugin } from './connector-catalogue.js';
import type { ConnectorSetting, ConnectorSettings } from './connector-setting.js';

/**
 * The schema of a connector's values (C-16.15): the section of its type with the top-level keys, and `plugin_config`.
 * `streams[].x` is the member x of every entry of the list.
 */
export function connectorSchema({
  type,
  name,
  settings,
  base: { enabled, transforms, ...rest },
  streams,
  transforms: known,
}: ConnectorPlugin): SchemaSection[] {
  const base = [
    ...entriesOf({ ...(enabled && { enabled }) }),
    ...entriesOf(prefixed('streams[].', streams)),
    ...entriesOf({ ...(transforms && { transforms }) }, { rule: 'known_members', value: known }),
    ...entriesOf(rest),
  ];
  return [
    {
      key: type,
      name: type === 'sink' ? 'Sink' : 'Source',
      description:
        type === 'sink'
          ? 'What every sink has: the streams that it reads. These keys stand at the top of the values.'
          : 'What every source has: the streams that it writes to. These keys stand at the top of the values.',
      schema: base,
    },
    { key: 'plugin_config', name, description: `What ${name} needs.`, schema: entriesOf(settings) },
  ];
}

function entriesOf(settings: ConnectorSettings, ...more: SchemaRule[]): SchemaEntry[] {
  return Object.entries(settings).map(([key, setting]) =>
    describeSetting(key, setting, requirementsOf(setting), [
      ...requiredRule(setting),
      ...ignoredRule(setting),
      ...more,
    ]),
  );
}

const prefixed = (prefix: string, settings: ConnectorSettings): ConnectorSettings =>
  Object.fromEntries(Object.entries(settings).map(([key, setting]) => [`${prefix}${key}`, setting]));

function requirementsOf({ required }: ConnectorSetting): SchemaEntry['requirements'] {
  return typeof required === 'object' ? [{ key: `plugin_config.${required.key}`, value: required.is }] : [];
}

const ignoredRule = ({ ignoredBy }: ConnectorSetting): SchemaRule[] =>
  ignoredBy === undefined ? [] : [{ rule: 'ignored_by', value: ignoredBy }];

const requiredRule = ({ required }: ConnectorSetting): SchemaRule[] =>
  required === undefined ? [] : [{ rule: 'required', value: 'while the connector is enabled' }];
