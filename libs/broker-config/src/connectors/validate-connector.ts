import { pointerTo } from '../pointer.js';
import type { ValueIssue } from '../validate-values.js';
import { isWithinLevels, refusalOf } from '../value-refusal.js';
import { isLevel } from '../written-values.js';
import { MOST_STREAMS } from './connector-base.js';
import type { ConnectorPlugin } from './connector-catalogue.js';
import type { ConnectorSetting, ConnectorSettings } from './connector-setting.js';

type Path = readonly (string | number)[];
type Values = Record<string, unknown>;

/** All issues of a connector's values. Empty when the plugin accepts them. Checks required keys only for enabled connectors. */
export function validateConnector(plugin: ConnectorPlugin, values: Values): ValueIssue[] {
  const isEnabled = values['enabled'] === true;
  const { streams, plugin_config: config, ...base } = values;
  return [
    ...sizeIssues(values),
    ...membersIssues(plugin.base, base, [], 'a connector'),
    ...(isLevel(base['transforms']) ? transformIssues(plugin, base['transforms']) : []),
    ...streamsIssues(plugin, streams, isEnabled),
    ...configIssues(plugin, config, isEnabled),
  ];
}

/** Limits the size, because a node gets all connectors of a deployment in one document of limited size. */
const MOST_BYTES = 16_384;
const LEVELS = 24;

function sizeIssues(values: Values): ValueIssue[] {
  if (!isWithinLevels(values, LEVELS)) return [issue([], 'too_long', `These may have ${LEVELS} levels at most.`)];
  const size = new TextEncoder().encode(JSON.stringify(values)).length;
  return size <= MOST_BYTES ? [] : [issue([], 'too_long', `These may have ${MOST_BYTES} bytes at most.`)];
}

function streamsIssues(
  { type, streams: settings }: ConnectorPlugin,
  streams: unknown,
  isEnabled: boolean,
): ValueIssue[] {
  const at: Path = ['streams'];
  if (streams === undefined || (Array.isArray(streams) && streams.length === 0))
    return isEnabled ? [issue(at, 'required', 'An enabled connector needs at least one stream.')] : [];
  if (!Array.isArray(streams)) return [issue(at, 'wrong_type', 'This must be an array of streams.')];
  if (streams.length > MOST_STREAMS) return [issue(at, 'too_long', `This may have ${MOST_STREAMS} entries at most.`)];
  return streams.flatMap((stream: unknown, index) => {
    if (!isLevel(stream)) return [issue([...at, index], 'wrong_type', 'This must be an object.')];
    return [
      ...membersIssues(settings, stream, [...at, index], `a stream of a ${type}`),
      ...missing(settings, stream, [...at, index]),
    ];
  });
}

function configIssues({ settings, name }: ConnectorPlugin, config: unknown, isEnabled: boolean): ValueIssue[] {
  const at: Path = ['plugin_config'];
  if (config !== undefined && !isLevel(config)) return [issue(at, 'wrong_type', 'This must be an object.')];
  const values = config ?? {};
  return [...membersIssues(settings, values, at, name), ...(isEnabled ? missing(settings, values, at) : [])];
}

/** Issues of given members. */
function membersIssues(settings: ConnectorSettings, values: Values, at: Path, owner: string): ValueIssue[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (!setting) return [issue([...at, key], 'unknown_key', `${capital(owner)} has no such key.`)];
    const refusal = refusalOf(setting, value);
    return refusal ? [issue([...at, key], refusal.code, refusal.reason)] : [];
  });
}

/** Issues of missing required members. */
function missing(settings: ConnectorSettings, values: Values, at: Path): ValueIssue[] {
  return Object.entries(settings).flatMap(([key, setting]) => {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    const isGiven = value !== undefined && value !== null && value !== '';
    return isGiven || !isRequired(setting, settings, values)
      ? []
      : [issue([...at, key], 'required', `This is required${reasonOf(setting)}.`)];
  });
}

/** The condition also applies to the default of the other key. */
function isRequired({ required }: ConnectorSetting, settings: ConnectorSettings, values: Values): boolean {
  if (typeof required !== 'object') return required === 'always';
  return (values[required.key] ?? settings[required.key]?.default) === required.is;
}

const reasonOf = ({ required }: ConnectorSetting): string =>
  typeof required === 'object' ? ` while ${required.key} is ${required.is}` : '';

/** Checks only `enabled` of each transform. The node validates its other settings. */
function transformIssues({ transforms: supported }: ConnectorPlugin, transforms: Values): ValueIssue[] {
  return Object.entries(transforms).flatMap(([name, transform]) => {
    const at: Path = ['transforms', name];
    if (!supported.includes(name))
      return [issue(at, 'unknown_key', `The nodes have no such transform; they have ${supported.join(', ')}.`)];
    if (!isLevel(transform)) return [issue(at, 'wrong_type', 'This must be an object.')];
    const { enabled } = transform;
    if (enabled === undefined) return [issue([...at, 'enabled'], 'required', 'This is required.')];
    return typeof enabled === 'boolean' ? [] : [issue([...at, 'enabled'], 'wrong_type', 'This must be a boolean.')];
  });
}

const issue = (path: Path, code: ValueIssue['code'], reason: string): ValueIssue => ({
  pointer: pointerTo(path.map(String)),
  code,
  reason,
});

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
