import { resolve } from 'node:path';
import type { NodeSpec } from '@libs/domain';
import { IGGY_LIBRARIES, IGGY_SERVER } from '@libs/testing';
import { IggyRuntime } from '../../src/brokers/iggy/iggy.runtime.js';
import { aNodeSpec, BrokerUnderTest, type SpecChanges } from './embedded.fixture.js';

/** Specs run the real gate from the build, because a process needs compiled code. */
const GATE_ENTRY = resolve('dist/libs/host/src/brokers/iggy/gate/iggy-gate.main.js');

export const IGGY_PROGRAM = { path: IGGY_SERVER ?? '', libraries: IGGY_LIBRARIES ?? undefined };

/** A node's desired state with driver iggy, on free ports. */
export async function anIggySpec(changes: SpecChanges = {}): Promise<NodeSpec> {
  const spec = await aNodeSpec(changes);
  const listen = { ...spec.listen, peer: null };
  return { ...spec, listen, broker: { ...spec.broker, driver: 'iggy', version: '0.8.0' } };
}

/** A node with a real iggy-server behind a real gate. Both are not started yet. `program` is read at the start. */
export async function anIggyNode(changes: SpecChanges = {}, program = IGGY_PROGRAM): Promise<BrokerUnderTest> {
  const runtime = new IggyRuntime({ server: program, allowsUnproven: false }, GATE_ENTRY);
  return BrokerUnderTest.of(await anIggySpec(changes), runtime);
}
