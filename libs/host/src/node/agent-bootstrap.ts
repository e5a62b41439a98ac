import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFlag, type NodeHome } from '../control/node-home.js';
import type { BrokerBinaries } from '../brokers/broker-runtimes.js';
import type { NodeId } from '@libs/domain';
import { AgentError } from './agent-error.js';

/** Relative to the node's directory. */
export const BOOTSTRAP_FILE = 'bootstrap.json';

/** The file (0600) that the cloud driver writes before the agent's first start. */
export interface AgentBootstrap {
  /** Base address of the gateway: https, or http to the loopback. */
  agent_url: string;
  installation: string;
  node_id: NodeId;
  /** One-time token for the registration. The agent clears it after the first successful call with its own credential. */
  token: string;
  /**
   * Paths of broker servers on this machine. They are not in the document, because the document is independent of the machine.
   * They are not in the environment, because an agent gets no environment variables.
   */
  binaries?: BrokerBinaries;
  /** SHA-256 of the artifact with this agent. Absent: the agent comes from a checkout, which has all plugins of the connectors. */
  agent_artifact?: string;
  /** Whether connectors may send to private addresses. The operator of the machine decides this. Absent: no. */
  allow_private_destinations?: boolean;
}

/** Reads and checks the file of a node. Throws AgentError when it is missing, malformed or belongs to another node. */
export async function readBootstrap(dir: string, flag: string): Promise<AgentBootstrap> {
  const bootstrap = await parse(join(dir, BOOTSTRAP_FILE));
  if (nodeFlag(homeOf(dir, bootstrap)) !== `--landlord-node=${flag}`) {
    throw new AgentError('bootstrap.json belongs to another node');
  }
  return bootstrap;
}

export function homeOf(dir: string, bootstrap: AgentBootstrap): NodeHome {
  return { dir, installation: bootstrap.installation, nodeId: bootstrap.node_id };
}

async function parse(path: string): Promise<AgentBootstrap> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new AgentError(`bootstrap.json cannot be read: ${error.code ?? 'unknown'}`);
  });
  try {
    const value = JSON.parse(content) as Partial<AgentBootstrap>;
    const { agent_url, installation, node_id, token } = value;
    const isWhole = [agent_url, installation].every((text) => typeof text === 'string' && text !== '');
    if (isWhole && typeof token === 'string' && Number.isSafeInteger(node_id)) return value as AgentBootstrap;
  } catch {
    // Reported below without quoting the file, because it contains a token.
  }
  throw new AgentError('bootstrap.json is malformed');
}
