import type { NodeRow } from '@libs/persistence/runtime';
import { ingressOf, listenersOf } from './node-listeners.js';

type Ports = NodeRow['ports'];
const node = (id: number, ports: Ports) => ({ id, broker_driver: 'nats' as const, ports });
const nameOf = ({ id }: { id: number }): string => `node-${id}`;

describe('The listeners of a deployment', () => {
  it('lead each port to the nodes that have it, and never to a port between nodes', () => {
    const nodes = [node(1, { tcp: 1883, http: 80, peer: 6222 }), node(2, { tcp: 1883, http: 81, peer: 6223 })];

    expect(listenersOf(nodes, nameOf)).toEqual([
      { port: 1883, target_port: 1883, protocol: 'tcp', targets: ['node-1', 'node-2'], health_check_port: 1883 },
      { port: 80, target_port: 80, protocol: 'tcp', targets: ['node-1'], health_check_port: 1883 },
      { port: 81, target_port: 81, protocol: 'tcp', targets: ['node-2'], health_check_port: 1883 },
    ]);
  });

  it('do not exist without ports', () => {
    expect(listenersOf([node(1, {})], nameOf)).toEqual([]);
  });
});

describe('The ingress of a deployment', () => {
  it('is everybody at the ports of clients, each once, and nobody at the ports between nodes', () => {
    const nodes = [node(1, { tcp: 1883, peer: 6222 }), node(2, { tcp: 1883, peer: 6222 })];

    expect(ingressOf(nodes)).toEqual([{ protocol: 'tcp', port: 1883, cidrs: ['0.0.0.0/0', '::/0'] }]);
  });
});
