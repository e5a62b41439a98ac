import type { ConnectorValues } from '@libs/domain';
import type { ChangedKey } from '../config-values.js';
import { MASK } from '../mask.js';
import { pointerTo } from '../pointer.js';
import type { ValueIssue } from '../validate-values.js';
import { isLevel } from '../written-values.js';
import type { ConnectorPlugin } from './connector-catalogue.js';
import type { ConnectorSettings } from './connector-setting.js';

type Values = Record<string, unknown>;

/** The initial values of an instance. It is disabled until a user enables it. */
export const NEW_CONNECTOR: ConnectorValues = { enabled: false, streams: [], plugin_config: {}, transforms: {} };

/** Valid values, completed with the missing members. */
export const connectorValues = (values: Values): ConnectorValues => ({ ...NEW_CONNECTOR, ...values });

/** The values as callers may see them. An empty secret counts as none. Unknown keys are masked, because they may be secrets. */
export function maskConnector({ settings }: Pick<ConnectorPlugin, 'settings'>, values: Values): Values {
  const config = isLevel(values['plugin_config']) ? values['plugin_config'] : {};
  const entries = Object.entries(config).map(([key, value]) => {
    const isSecret = Object.hasOwn(settings, key) ? settings[key]?.secret : true;
    return [key, isSecret ? masked(value) : value];
  });
  return { ...values, plugin_config: Object.fromEntries(entries) };
}

/** Shows the names of a map and masks its values. */
function masked(value: unknown): unknown {
  if (value === null || value === '') return value;
  return isLevel(value) ? Object.fromEntries(Object.keys(value).map((name) => [name, MASK])) : MASK;
}

/** Replaces masks that were sent back with the stored secrets. A mask without a stored secret is an issue. */
export function withKeptConnectorSecrets(
  { settings }: Pick<ConnectorPlugin, 'settings'>,
  values: Values,
  stored: Values,
): { values: Values; issues: ValueIssue[] } {
  if (!isLevel(values['plugin_config'])) return { values, issues: [] };
  const before = isLevel(stored['plugin_config']) ? stored['plugin_config'] : {};
  const issues: ValueIssue[] = [];
  const config = Object.entries(values['plugin_config']).map(([key, value]) => {
    if (!isSecretKey(settings, key)) return [key, value];
    const restored = restore(value, own(before, key), ['plugin_config', key]);
    issues.push(...restored.issues);
    return [key, restored.value];
  });
  return { values: { ...values, plugin_config: Object.fromEntries(config) }, issues };
}

/** Restores a mask, or a map that contains masks. */
function restore(value: unknown, before: unknown, path: string[]): { value: unknown; issues: ValueIssue[] } {
  // Only to the depth of a map, because the structure of the values is validated later.
  if (isLevel(value) && path.length === MAP_LEVEL) {
    const members = Object.entries(value).map(([name, member]) => {
      const storedValue = isLevel(before) ? own(before, name) : undefined;
      return [name, restore(member, storedValue, [...path, name])] as const;
    });
    return {
      value: Object.fromEntries(members.map(([name, member]) => [name, member.value])),
      issues: members.flatMap(([, member]) => member.issues),
    };
  }
  if (value !== MASK) return { value, issues: [] };
  const isKept = typeof before === 'string' && before !== '';
  return isKept ? { value: before, issues: [] } : { value, issues: [{ pointer: pointerTo(path), ...NO_SECRET }] };
}

const MAP_LEVEL = 2;
const NO_SECRET = {
  code: 'no_secret_kept',
  reason: 'This is the mask of a secret, but this key has no stored secret. Send the secret itself.',
} as const;

/** The differences between two configurations. Every difference restarts the connector. */
export function changedConnectorKeys(plugin: ConnectorPlugin, from: Values, to: Values): ChangedKey[] {
  const [before, after] = [flat(from), flat(to)];
  const [shownBefore, shownAfter] = [flat(maskConnector(plugin, from)), flat(maskConnector(plugin, to))];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => ({
      ...{ key, from: shownBefore[key] ?? null, to: shownAfter[key] ?? null },
      secret: isSecretKey(plugin.settings, key.replace('plugin_config.', '')),
      restart_required: true,
    }));
}

function flat({ plugin_config: config, ...base }: Values): Values {
  const below = Object.entries(isLevel(config) ? config : {});
  return { ...base, ...Object.fromEntries(below.map(([key, value]) => [`plugin_config.${key}`, value])) };
}

const isSecretKey = (settings: ConnectorSettings, key: string): boolean =>
  Object.hasOwn(settings, key) && settings[key]?.secret === true;
const own = (values: Values, key: string): unknown => (Object.hasOwn(values, key) ? values[key] : undefined);
