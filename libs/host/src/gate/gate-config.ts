import { readFile } from 'node:fs/promises';
import type { DeploymentId, NodeListen, NodeId } from '@libs/domain';
import { BrokerError } from '../control/broker-error.js';
import type { GateSettings } from '../control/gate-settings.js';

/** The 0600 configuration file of a gate process. */
export interface GateConfig {
  installation: string;
  node_id: NodeId;
  /** Absolute path of the node's directory. */
  dir: string;
  config_hash: string;
  listen: NodeListen;
  max_connections: number;
  gate: GateSettings;
  /** The part of this node. Absent: no limit. */
  rate_limit?: { bytes_per_second: number };
  /** Absent in files of an earlier release. Not part of the hash, because a change needs no restart. */
  page?: PageNames;
}

/** The configuration file of a gate in front of a broker that speaks MQTT. */
export interface MqttGateConfig extends GateConfig {
  /** The account of all clients at the broker. Absent: the broker itself checks the credentials of clients. */
  broker_account?: { username: string; password: string };
  max_packet_bytes: number;
  /** Time limit for the first byte of a client, in seconds. Absent in files of an earlier release. */
  connect_timeout?: number;
  /** Prefix of topics that no client may see. Null for none. */
  hidden_topics: string | null;
}

/** The names on the page for browsers. */
export interface PageNames {
  deployment_id: DeploymentId;
  node_name: string;
  driver: string;
}

/** Reads the file that the agent wrote. Throws BrokerError without the content of the file, because it contains secrets. */
export async function readGateConfig<T extends GateConfig>(path: string): Promise<T> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'not JSON';
    throw new BrokerError(`the configuration file of the gate cannot be read: ${code}`);
  }
}
