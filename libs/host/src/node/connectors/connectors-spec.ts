import { brokerRuntimeOf, type BrokerBinaries } from '../../brokers/broker-runtimes.js';
import { contactInstance } from '../../control/instance-socket.js';
import type { ConnectorsSpec } from '../../connectors/connectors.runtime.js';
import type { NodeHome } from '../../control/node-home.js';
import type { NodeConnectors, NodeSpec, RuntimeStatus } from '@libs/domain';
import type { ConnectorPrograms } from './programs/connector-programs.js';

/** What the connectors of a node need from its machine. */
export interface ConnectorsMachine {
  binaries: BrokerBinaries;
  /** Whether connectors may send to private addresses. */
  allowPrivate: boolean;
  /** Null: the agent has all plugins beside it. */
  programs: ConnectorPrograms | null;
}

/** Why the connectors process cannot start now. */
export interface Unready {
  status: RuntimeStatus;
  reason: string | null;
}

/** What the connectors process is started with, or why it cannot start. */
export async function specOf(
  home: NodeHome,
  node: NodeSpec,
  connectors: NodeConnectors,
  { binaries, allowPrivate, programs }: ConnectorsMachine,
): Promise<ConnectorsSpec | Unready> {
  const { inlet } = brokerRuntimeOf(node.broker.driver);
  // The broker was never started. Until then the connectors cannot connect, and must not count as failed.
  if ((await contactInstance(home, inlet.role)) === null)
    return { status: 'starting', reason: 'the broker has not started' };
  const program = (await programs?.choose(node, connectors)) ?? null;
  if (programs && program === null)
    return { status: programs.reason === null ? 'starting' : 'failed', reason: programs.reason };
  return { node, connectors, inlet, allowPrivate, binaries, program };
}
