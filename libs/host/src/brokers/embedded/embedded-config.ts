import { readFile } from 'node:fs/promises';
import type { NodeListen, NodeSpec, NodeId } from '@libs/domain';
import { BrokerError } from '../../control/broker-error.js';
import type { PageNames } from '../../gate/gate-config.js';
import type { GateSettings } from '../../control/gate-settings.js';

/** The version that the embedded driver reports: the release of its MQTT broker. */
export const EMBEDDED_VERSION = '1.2.0';

/** The 0600 configuration file of an embedded broker process. */
export interface EmbeddedConfig {
  installation: string;
  node_id: NodeId;
  /** Absolute path of the node's directory. */
  dir: string;
  data_dir: string;
  config_hash: string;
  listen: NodeListen;
  cluster: NodeSpec['cluster'];
  values: Record<string, unknown>;
  /** Null: no limit. */
  storage_mib: number | null;
  /** Of the deployment, because the leader serves the clients of all nodes. Absent: no limit. */
  rate_limit?: { bytes_per_second: number };
  /** The key for all stored values, base64. Absent: the data is not encrypted. */
  encryption?: { key: string };
  gate: GateSettings;
  /** Absent in files of an earlier release. Not part of the hash, because a change needs no restart. */
  page?: PageNames;
}

/** Reads the file that the agent wrote. Throws BrokerError without the content of the file, because it contains secrets. */
export async function readEmbeddedConfig(path: string): Promise<EmbeddedConfig> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as EmbeddedConfig;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'not JSON';
    throw new BrokerError(`the configuration file cannot be read: ${code}`);
  }
}

/** Node 1 of a cluster, or a single node, runs the broker. The other nodes carry their clients to it. */
export function isLeader(config: Pick<EmbeddedConfig, 'cluster'>): boolean {
  return config.cluster.leader === null;
}
