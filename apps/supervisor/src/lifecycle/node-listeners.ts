import type { BalancerListener, FirewallIngress } from '@libs/cloud';
import { OFFERED_PROTOCOLS, type BrokerProtocol } from '@libs/domain';
import type { NodeRow } from '@libs/persistence/runtime';

/** The gate of each node decides by the access rules of the deployment, also about clients that a balancer forwards. */
const EVERYBODY = ['0.0.0.0/0', '::/0'];

type PortsOfNode = Pick<NodeRow, 'id' | 'broker_driver' | 'ports'>;

/**
 * The listeners for the clients of a deployment. Nodes with the same port share a listener; a port that one node has leads to
 * this node only. Ports between nodes have no listener.
 */
export function listenersOf<N extends PortsOfNode>(
  nodes: readonly N[],
  nameOf: (node: N) => string,
): BalancerListener[] {
  const listeners = new Map<string, BalancerListener>();
  for (const node of nodes) {
    for (const { protocol, port } of clientPorts(node)) {
      const key = `${protocol} ${port}`;
      const targets = [...(listeners.get(key)?.targets ?? []), nameOf(node)];
      // The broker of each driver has a port for TCP. UDP cannot show whether somebody listens.
      const health_check_port = node.ports.tcp ?? port;
      listeners.set(key, { port, target_port: port, protocol, targets, health_check_port });
    }
  }
  return [...listeners.values()];
}

/**
 * Clients from everywhere. Ports between nodes have no rule: the members of a firewall reach each other, and a range of the
 * network would let in the nodes of other deployments, which can share it.
 */
export function ingressOf(nodes: readonly PortsOfNode[]): FirewallIngress[] {
  const ingress = new Map<string, FirewallIngress>();
  for (const { protocol, port } of nodes.flatMap(clientPorts))
    ingress.set(`${protocol} ${port}`, { protocol, port, cidrs: EVERYBODY });
  return [...ingress.values()];
}

function clientPorts({ broker_driver, ports }: PortsOfNode): { protocol: 'tcp' | 'udp'; port: number }[] {
  return OFFERED_PROTOCOLS[broker_driver].flatMap((purpose: BrokerProtocol) => {
    const port = ports[purpose];
    return port === undefined ? [] : [{ protocol: purpose === 'udp' ? ('udp' as const) : ('tcp' as const), port }];
  });
}
