import type { NodeSpec } from '@libs/domain';
import { isProvenIggy } from '@libs/domain/iggy-releases';
import { brokerSettings, refusalOf, type BrokerSettings } from '@libs/broker-config';
import { BrokerError } from '../../../control/broker-error.js';
import { canonicalHash } from '../../../os/canonical-hash.js';
import type { NodeHome } from '../../../control/node-home.js';
import { environmentText } from './environment-text.js';
import { cpuAllocation } from './iggy-config-cpus.js';
import { IGGY_FILES, RUNTIME_PATH } from '../iggy-files.js';
import { tomlTables, tomlText, type TomlValue } from './toml-text.js';
import { unprovenConfig } from './unproven-config.js';

/** What the agent knows about its node and the document does not contain. */
export interface IggyNode {
  /** Password of the root user, 3 to 100 characters. Only the agent has it. */
  rootPassword: string;
  /** Secret that the servers of one cluster share, at least 32 characters. */
  replicaSecret: string;
  /** CPUs that the node may use. Fractions are ignored. */
  cpus: number;
}

/** The configuration of a node's server. */
export interface RenderedIggy {
  /** TOML, without any secret. */
  config: string;
  /** Lines of `NAME="value"`, for a 0600 file only. */
  environment: string;
  /**
   * Changes exactly when a restart is necessary. No password changes it: the server stores the password of the root user at
   * its first start and ignores later ones, and clients are users of their own.
   */
  hash: string;
  /** The keys of `config` with their values, without the members of the cluster. Every other key has the server's own default. */
  rendered: Readonly<Record<string, TomlValue>>;
}

/** The user that creates all others. Only the agent signs in as this user. */
export const IGGY_ROOT = 'landlord-root';
/** Environment variable of the key of the stored data. Its value always has the form of a text: 32 bytes in base64 end with `=`. */
export const ENCRYPTION_KEY = 'IGGY_SYSTEM_ENCRYPTION_KEY';
/** A port that the system assigns, on the loopback address. Clients connect through the gate of the node. */
const PRIVATE = '127.0.0.1:0';
/** The pool's share of the node's memory. The pool is disabled when the share is below the server's minimum. */
const POOL_SHARE = 0.5;
const LEAST_POOL_MIB = 512;

/**
 * Configuration of a node's server for the line of its release. Pure. Omits values that the line does not have or would refuse.
 * Validation has already reported them, and a running broker is more important.
 * @throws BrokerError for a release whose keys are unknown, and for a cluster of a release that does not replicate
 */
export function renderIggy(home: NodeHome, spec: NodeSpec, node: IggyNode): RenderedIggy {
  const { version, restart, limits } = spec.broker;
  const { values, members } = isProvenIggy(version)
    ? { values: provenValues(home, spec, node), members: [] }
    : unprovenConfig(home, spec);
  const config = `${tomlText(values)}${tomlTables('cluster.nodes', members)}`;
  return {
    config,
    environment: environmentText({
      IGGY_ROOT_USERNAME: IGGY_ROOT,
      IGGY_ROOT_PASSWORD: node.rootPassword,
      IGGY_DISPLAY_CONFIG: 'false',
      ...(spec.broker.encryption && { [ENCRYPTION_KEY]: spec.broker.encryption.key }),
      ...(members.length > 0 && { IGGY_CLUSTER_AUTH_SHARED_SECRET: node.replicaSecret }),
    }),
    hash: canonicalHash({ config, restart, version, ...(limits && { limits }) }),
    rendered: values,
  };
}

function provenValues(home: NodeHome, spec: NodeSpec, { cpus }: IggyNode): Record<string, TomlValue> {
  const { version, limits } = spec.broker;
  if (spec.cluster.size > 1) throw new BrokerError(`iggy ${version} has no clusters; use a single node, or nats`);
  const settings = brokerSettings('iggy', version);
  const chosen = { ...ownDefaults(settings), ...poolOf(limits?.memory_mib), ...chosenValues(spec, settings) };
  return { ...chosen, [CPUS]: cpuAllocation(String(chosen[CPUS]), cpus), ...plannedValues(home, spec) };
}

const CPUS = 'system.sharding.cpu_allocation';

/** The defaults of Landlord that differ from those of the server. */
function ownDefaults(settings: BrokerSettings): Record<string, TomlValue> {
  const defaults = Object.entries(settings).filter(([, { brokerDefault }]) => brokerDefault !== undefined);
  return Object.fromEntries(defaults.map(([key, setting]) => [key, setting.default as TomlValue]));
}

/** The values of users that the release accepts. */
function chosenValues({ broker }: NodeSpec, settings: BrokerSettings): Record<string, TomlValue> {
  const entries = Object.entries(broker.config.values).filter(([key, value]) => {
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    return setting !== undefined && value !== null && refusalOf(setting, value) === null;
  });
  return Object.fromEntries(entries as [string, TomlValue][]);
}

/** A pool that fits the node. */
function poolOf(memoryMib: number | undefined): Record<string, TomlValue> {
  if (memoryMib === undefined) return {};
  const pool = Math.floor(memoryMib * POOL_SHARE);
  return pool < LEAST_POOL_MIB ? { 'system.memory_pool.enabled': false } : { 'system.memory_pool.size': `${pool} MiB` };
}

/** Values that only the node has. They override configured values. */
function plannedValues(home: NodeHome, { listen, broker }: NodeSpec): Record<string, TomlValue> {
  return {
    ...{ 'system.path': IGGY_FILES.data(home), 'system.runtime.path': RUNTIME_PATH },
    ...(broker.encryption && { 'system.encryption.enabled': true }),
    'system.logging.file_enabled': true,
    ...{ 'tcp.enabled': true, 'tcp.address': PRIVATE },
    // The server reports its ports only while HTTP is enabled.
    ...{ 'http.enabled': true, 'http.address': PRIVATE, 'http.metrics.endpoint': '/metrics' },
    'websocket.address': PRIVATE,
    ...(listen.ports.websocket === null && { 'websocket.enabled': false }),
    'quic.address': PRIVATE,
    ...(listen.ports.udp === null && { 'quic.enabled': false }),
    'telemetry.enabled': false,
  };
}
