import { MASK } from '../mask.js';
import { isLevel } from '../written-values.js';
import type { ConnectorPlugin } from './connector-catalogue.js';

type Values = Record<string, unknown>;

/**
 * The key of an address with another origin than the stored one, while secrets are sent back as masks. Null for none. Without
 * this check a caller who cannot read the secrets could have them sent to another service.
 */
export function secretsElsewhere(
  { settings }: Pick<ConnectorPlugin, 'settings'>,
  values: Values,
  stored: Values,
): string | null {
  const [config, before] = [configOf(values), configOf(stored)];
  const hasMask = Object.keys(config).some((key) => settingOf(settings, key)?.secret && isMasked(config[key]));
  if (!hasMask) return null;
  const keys = Object.keys(settings).filter((key) => settings[key]?.isAddress);
  return keys.find((key) => originOf(config[key]) !== originOf(before[key])) ?? null;
}

const configOf = ({ plugin_config: config }: Values): Values => (isLevel(config) ? config : {});

const settingOf = (settings: ConnectorPlugin['settings'], key: string) =>
  Object.hasOwn(settings, key) ? settings[key] : undefined;

/** A mask, or a map that contains a mask. */
const isMasked = (value: unknown): boolean => value === MASK || (isLevel(value) && Object.values(value).includes(MASK));

/** Scheme, host and port. A text that is not a URL is compared unchanged, because another rule refuses it. */
function originOf(value: unknown): unknown {
  if (typeof value !== 'string' || !URL.canParse(value)) return value;
  const { protocol, host } = new URL(value);
  return `${protocol}//${host}`;
}
