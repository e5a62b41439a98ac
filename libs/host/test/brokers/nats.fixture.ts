import { resolve } from 'node:path';
import type { NodeSpec } from '@libs/domain';
import { aNodeSpec, BrokerUnderTest, type SpecChanges } from './embedded.fixture.js';
import { NatsRuntime } from '../../src/brokers/nats/nats.runtime.js';

/** Specs run the real gate from the build, because a process needs compiled code. */
const GATE_ENTRY = resolve('dist/libs/host/src/brokers/nats/nats-gate.main.js');

/** A node's desired state with driver nats, on free ports. */
export async function aNatsSpec(changes: SpecChanges = {}): Promise<NodeSpec> {
  const spec = await aNodeSpec(changes);
  const listen = { ...spec.listen, peer: changes.cluster ? spec.listen.peer : null };
  return { ...spec, listen, broker: { ...spec.broker, driver: 'nats', version: '2.9.10' } };
}

/** A node with a real nats-server behind a real gate. Both are not started yet. */
export async function aNatsNode(binary: string | null, changes: SpecChanges = {}): Promise<BrokerUnderTest> {
  return natsNodeOf(binary, await aNatsSpec(changes));
}

function natsNodeOf(binary: string | null, spec: NodeSpec): Promise<BrokerUnderTest> {
  return BrokerUnderTest.of(spec, new NatsRuntime(binary, GATE_ENTRY));
}

/** Connected nodes of one deployment. They are not started yet. */
export async function aNatsCluster(binary: string | null, size: number): Promise<BrokerUnderTest[]> {
  const ordinals = Array.from({ length: size }, (_, index) => index + 1);
  const cluster = (ordinal: number) => ({ size, ordinal, leader: null, secret: 'cluster/secret: "quoted"' });
  const specs = await Promise.all(ordinals.map((id) => aNatsSpec({ nodeId: id, cluster: cluster(id) })));
  const hosts = specs.map(({ listen }) => ({ host: listen.address, port: listen.peer ?? 0 }));
  const peersOf = (own: number) => hosts.filter((_, other) => other !== own);
  const connected = specs.map((spec, own) => ({ ...spec, cluster: { ...spec.cluster, peers: peersOf(own) } }));
  return Promise.all(connected.map((spec) => natsNodeOf(binary, spec)));
}
