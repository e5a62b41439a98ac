import { readFile } from 'node:fs/promises';
import type { ConnectorInstanceId, NodeConnector, DeploymentId, NodeId } from '@libs/domain';
import { BrokerError } from '../control/broker-error.js';
import type { Inlet } from '../control/inlet.js';
import type { IggyPart } from './iggy/iggy-part.js';

/** Release of the connectors process, as a node reports it. */
export const CONNECTORS_VERSION = '0.2.0';

/** The 0600 configuration file of a connectors process. */
export interface ConnectorsConfig {
  installation: string;
  node_id: NodeId;
  deployment_id: DeploymentId;
  /** Absolute path of the node's directory. */
  dir: string;
  config_hash: string;
  /** Hash of everything except the instances. While it is equal, the process takes changed instances without a restart. */
  base_hash: string;
  inlet: Inlet;
  /** The account of the deployment at its broker. */
  credentials: { username: string; password: string };
  /** Whether connectors may send to private addresses. */
  allow_private: boolean;
  /** Absent on nodes with another broker. */
  iggy?: IggyPart;
  instances: NodeConnector[];
  /** Instances whose plugin is not on the node yet. They do not start, and keep their progress. Absent: none. */
  absent?: readonly ConnectorInstanceId[];
}

/** Reads the file that the agent wrote. Throws BrokerError without the content of the file, because it contains secrets. */
export async function readConnectorsConfig(path: string): Promise<ConnectorsConfig> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ConnectorsConfig;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'not JSON';
    throw new BrokerError(`the configuration file of the connectors cannot be read: ${code}`);
  }
}
