import type { ConnectorReport, NodeConnector, NodeConnectors, NodeSpec, StatusRequest } from '@libs/domain';
import { ConnectorsRuntime, type ConnectorsContact } from '../../src/connectors/connectors.runtime.js';
import { NodeUnderTest, until } from './agent.fixture.js';

/** Created nodes. A spec destroys them after each test. */
export const nodes: NodeUnderTest[] = [];
export const runtime = new ConnectorsRuntime();

const STREAM = { stream: 'demo', topics: ['numbers'], schema: 'json' };

export function aConnector(
  changes: Partial<NodeConnector>,
  config: Record<string, unknown>,
  enabled = true,
): NodeConnector {
  const instance_id = changes.instance_id ?? 1;
  return {
    ...{ instance_id, key: `c${instance_id}`, name: 'A connector', plugin_version: '1.0.0' },
    ...{ type: 'sink', plugin: 'stdout' },
    ...changes,
    config: { id: 70, version: 1, values: { enabled, streams: [STREAM], plugin_config: config, transforms: {} } },
  };
}

export const SOURCE = aConnector(
  { instance_id: 1, type: 'source', plugin: 'random' },
  { interval: '10ms', max_count: 40 },
);
export const SINK = aConnector({ instance_id: 2 }, { print_payload: true });

export function withConnectors(
  spec: NodeSpec,
  instances: NodeConnector[],
  changes: Partial<NodeConnectors> = {},
): NodeSpec {
  return { ...spec, connectors: { want: 'running', restart: 0, instances, ...changes } };
}

/** A node that has applied the connectors of generation 1. */
export async function aNode(instances: NodeConnector[]): Promise<NodeUnderTest> {
  const node = await NodeUnderTest.create();
  nodes.push(node);
  node.gateway.publish(withConnectors(node.spec, instances), 1);
  node.startAgent();
  await node.running(1);
  return node;
}

export const runner = (status: StatusRequest) => status.runtimes.find(({ runtime: name }) => name === 'connectors');

/** The first matching status, including earlier ones. */
export function status(
  node: NodeUnderTest,
  what: string,
  fits: (status: StatusRequest) => boolean,
): Promise<StatusRequest> {
  return until(what, () => node.gateway.statuses.findLast(fits));
}

export const report = ({ connectors }: StatusRequest, id: number): ConnectorReport | undefined =>
  connectors?.find(({ instance_id }) => instance_id === id);

export function contact(node: NodeUnderTest): Promise<ConnectorsContact> {
  return until('the runner answers', () => runtime.contact(node.home).catch(() => null));
}
