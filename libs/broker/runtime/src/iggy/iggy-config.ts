import { createHmac } from 'node:crypto';
import type { NodeSpec } from '@libs/domain';
import { brokerSettings, compareReleases, refusalOf, type BrokerSettings } from '@libs/broker/schema';
import { BrokerError } from '../broker-error.js';
import { canonicalHash } from '../canonical-hash.js';
import type { NodeHome } from '../node-home.js';
import { environmentText } from './environment-text.js';
import { IGGY_FILES } from './iggy-files.js';
import { tomlText, type TomlValue } from './toml-text.js';

/** The configuration of a node's server. */
export interface RenderedIggy {
  /** TOML, without any secret. */
  config: string;
  /** Lines of `NAME="value"`, for a 0600 file only. */
  environment: string;
  /**
   * Changes exactly when a restart is necessary. The password of the root user does not change it, because the server stores
   * that password.
   */
  hash: string;
}

/** A port that the system assigns, on the loopback address. Clients connect through the gate of the node. */
const PRIVATE = '127.0.0.1:0';
const EVERYWHERE = ['0.0.0.0', '::'];
/** The pool's share of the node's memory. The pool is disabled when the share is below the server's minimum. */
const POOL_SHARE = 0.5;
const LEAST_POOL_MIB = 512;
/** In the oldest release line these sections are in a table with this name. Later lines refuse to start with it. */
const SYSTEM_UNTIL = '0.9';
const SYSTEM_SECTIONS = ['path', 'runtime', 'logging', 'encryption', 'memory_pool', 'sharding'];

/**
 * Configuration of a node's server for the line of its release. Pure. Omits values that the line does not have or would refuse.
 * Validation has already reported them, and a running broker is more important.
 * @throws BrokerError for a cluster: the document does not contain the client ports of the other nodes
 */
export function renderIggy(home: NodeHome, spec: NodeSpec): RenderedIggy {
  if (spec.cluster.size > 1) throw new BrokerError('clusters of iggy are not supported; use a single node, or nats');
  const { version, restart, limits } = spec.broker;
  const settings = brokerSettings('iggy', version);
  const values = { ...chosenValues(spec, settings), ...plannedValues(home, spec) };
  const known = Object.entries(values).filter(([key]) => Object.hasOwn(settings, key));
  const isSecret = ([key]: [string, TomlValue]): boolean => settings[key]?.secret === true;
  const spelled = (all: [string, TomlValue][]) =>
    Object.fromEntries(all.map(([key, value]) => [keyOf(key, version), value]));
  const secrets = environmentOf(spelled(known.filter(isSecret)));
  const config = tomlText(spelled(known.filter((one) => !isSecret(one))));
  const { username, password } = spec.credentials;
  const root = { IGGY_ROOT_USERNAME: username, IGGY_ROOT_PASSWORD: password };
  return {
    config,
    environment: environmentText({ ...secrets, ...root, IGGY_DISPLAY_CONFIG: 'false' }),
    hash: canonicalHash({ config, secrets, username, restart, version, ...(limits && { limits }) }),
  };
}

/** The values of users, and a pool that fits the node when users set none. */
function chosenValues({ broker }: NodeSpec, settings: BrokerSettings): Record<string, TomlValue> {
  const given = Object.entries(broker.config.values).filter(([key, value]) => {
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    return setting !== undefined && value !== null && refusalOf(setting, value) === null;
  }) as [string, TomlValue][];
  return { ...poolOf(broker.limits?.memory_mib), ...Object.fromEntries(given) };
}

function poolOf(memoryMib: number | undefined): Record<string, TomlValue> {
  if (memoryMib === undefined) return {};
  const pool = Math.floor(memoryMib * POOL_SHARE);
  return pool < LEAST_POOL_MIB ? { 'memory_pool.enabled': false } : { 'memory_pool.size': `${pool} MiB` };
}

/** Values that only the node has. They override configured values. */
function plannedValues(home: NodeHome, { listen, cluster }: NodeSpec): Record<string, TomlValue> {
  const signing = createHmac('sha256', cluster.secret).update('iggy access tokens').digest('hex');
  return {
    path: IGGY_FILES.data(home),
    ...(!EVERYWHERE.includes(listen.address) && { 'node.advertised_address': listen.address }),
    ...{ 'tcp.enabled': true, 'tcp.address': PRIVATE },
    ...{ 'http.enabled': true, 'http.address': PRIVATE },
    'websocket.address': PRIVATE,
    ...(listen.ports.websocket === null && { 'websocket.enabled': false }),
    'quic.address': PRIVATE,
    ...(listen.ports.udp === null && { 'quic.enabled': false }),
    'logging.file_enabled': true,
    'cluster.enabled': false,
    // Derived from a durable secret of the node, so that access tokens survive a restart.
    ...{ 'http.jwt.encoding_secret': signing, 'http.jwt.decoding_secret': signing },
  };
}

function keyOf(key: string, version: string): string {
  const isOld = compareReleases(version, SYSTEM_UNTIL) < 0;
  return isOld && SYSTEM_SECTIONS.includes(key.split('.')[0] ?? '') ? `system.${key}` : key;
}

const environmentOf = (secrets: Record<string, TomlValue>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(secrets).map(([key, value]) => [`IGGY_${key.toUpperCase().replaceAll('.', '_')}`, String(value)]),
  );
