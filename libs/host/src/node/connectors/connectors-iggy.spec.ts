import { describeWithIggyConnectors, IGGY_BINARIES } from '@libs/testing';
import { NodeUnderTest, until } from '../../../test/node/agent.fixture.js';
import {
  aConnector,
  nodes,
  report,
  runner,
  runtime,
  status,
  withConnectors,
} from '../../../test/node/connectors.fixture.js';

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

/** The release of a plugin of Apache Iggy 0.8. */
const PLUGIN = { plugin_version: '0.4.0' };
const SOURCE = aConnector(
  { instance_id: 1, type: 'source', plugin: 'random', ...PLUGIN },
  { interval: '10ms', messages_range: [10, 11], max_count: 40 },
);
const PLUGIN_SINK = aConnector({ instance_id: 2, ...PLUGIN }, { print_payload: true });
const OWN_SINK = aConnector({ instance_id: 3 }, { print_payload: true });

describeWithIggyConnectors('the connectors of a node with iggy', () => {
  it('run with and without a plugin, outlive the agent, and end with the node', async () => {
    const node = await NodeUnderTest.create(IGGY_BINARIES);
    nodes.push(node);
    node.gateway.publish(withConnectors(node.spec, [SOURCE, PLUGIN_SINK, OWN_SINK]), 1);
    node.startAgent();
    await node.running(1);

    const all = await status(node, 'all have moved', (one) =>
      [1, 2, 3].every((id) => (report(one, id)?.messages ?? 0) === 40),
    );
    const pid = runner(all)?.pid;
    await node.endAgent('SIGKILL');
    const from = node.gateway.statuses.length;
    node.startAgent();
    const adopted = await until('a status of the next agent', () =>
      node.gateway.statuses.slice(from).find((one) => runner(one)?.status === 'running'),
    );

    expect(all.connectors?.map(({ status: state, error }) => [state, error])).toEqual(
      Array.from({ length: 3 }, () => ['running', null]),
    );
    expect(runner(adopted)).toMatchObject({ pid, restarts: 0 });
    node.gateway.publish(withConnectors(node.spec, [SOURCE, PLUGIN_SINK, OWN_SINK], { want: 'stopped' }), 2);
    const stopped = await status(node, 'the stop', ({ observed }) => observed.generation === 2);
    expect([1, 2, 3].map((id) => report(stopped, id))).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 'stopped', messages: 40 })),
    );
    expect(await runtime.contact(node.home)).toBeNull();
    const line = await until('a payload in the log', () =>
      node.gateway.logs
        .flatMap(({ lines }) => lines)
        .find(({ message }) => message.includes('iggy_connector_stdout_sink')),
    );
    expect(line).toMatchObject({ runtime: 'connectors', level: 'info' });
  });
});
