import { readFile } from 'node:fs/promises';
import type { NodeListen } from '@libs/domain';
import { BrokerError } from '../broker-error.js';
import type { GateOrder } from './gate-order.js';

/** The 0600 file that a gate process starts from. */
export interface GateConfig {
  installation: string;
  node_id: number;
  /** Absolute path of the node's directory. */
  dir: string;
  config_hash: string;
  listen: NodeListen;
  /** For `GET /stats`. */
  credentials: { username: string; password: string };
  max_connections: number;
  max_packet_bytes: number;
  /** Time that a client has until it says something, in seconds; absent in a file of an earlier release. */
  connect_timeout?: number;
  /** Beginning of the topics that no client shall see; null for none. */
  hidden_topics: string | null;
  gate: GateOrder;
}

/** Reads the file that the agent wrote. Throws BrokerError without quoting it, since it holds secrets. */
export async function readGateConfig<T extends GateConfig>(path: string): Promise<T> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'not JSON';
    throw new BrokerError(`the configuration file of the gate cannot be read: ${code}`);
  }
}
