import { MASK } from '../mask.js';
import { isLevel } from '../written-values.js';
import type { ConnectorPlugin } from './connector-catalogue.js';

type Values = Record<string, unknown>;

/**
 * The key of an address that leads to another origin than the kept one, while secrets are sent back as masks; null when there
 * is none. A caller who never saw the secrets could otherwise have them sent to a service of their own.
 */
export function secretsElsewhere(
  { settings }: Pick<ConnectorPlugin, 'settings'>,
  values: Values,
  kept: Values,
): string | null {
  const [config, before] = [configOf(values), configOf(kept)];
  const hasMask = Object.keys(config).some((key) => settingOf(settings, key)?.secret && isMasked(config[key]));
  if (!hasMask) return null;
  const keys = Object.keys(settings).filter((key) => settings[key]?.isAddress);
  return keys.find((key) => originOf(config[key]) !== originOf(before[key])) ?? null;
}

const configOf = ({ plugin_config: config }: Values): Values => (isLevel(config) ? config : {});

const settingOf = (settings: ConnectorPlugin['settings'], key: string) =>
  Object.hasOwn(settings, key) ? settings[key] : undefined;

/** The mask itself, or a map with a mask under one of its names. */
const isMasked = (value: unknown): boolean => value === MASK || (isLevel(value) && Object.values(value).includes(MASK));

/** Scheme, host and port. A text that is no URL is compared as it is: another rule refuses such a text. */
function originOf(value: unknown): unknown {
  if (typeof value !== 'string' || !URL.canParse(value)) return value;
  const { protocol, host } = new URL(value);
  return `${protocol}//${host}`;
}
