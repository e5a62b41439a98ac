import { NodeUnderTest } from '../../test/agent.fixture.js';
import {
  aNode,
  contact,
  nodes,
  report,
  runner,
  runtime,
  SINK,
  SOURCE,
  status,
  withConnectors,
} from '../../test/connectors.fixture.js';

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

describe('the connectors of a node', () => {
  it('run when the document contains some, and are part of each status', async () => {
    const node = await aNode([SINK]);
    // After the sink has subscribed, all messages reach it.
    await status(node, 'the sink runs', (one) => report(one, 2)?.status === 'running');
    node.gateway.publish(withConnectors(node.spec, [SINK, SOURCE]), 2);

    const reported = await status(node, 'all have moved', (one) => (report(one, 2)?.messages ?? 0) >= 40);

    expect(runner(reported)).toMatchObject({ status: 'running', restarts: 0, last_error: null });
    expect(reported.connectors).toEqual([
      { instance_id: 2, status: 'running', config_id: 70, error: null, messages: 40 },
      { instance_id: 1, status: 'running', config_id: 70, error: null, messages: 40 },
    ]);
    expect(await node.log('connectors')).toContain('"payload":"{');
  });

  it('are absent from the status while the document has none', async () => {
    const node = await NodeUnderTest.create();
    nodes.push(node);
    node.gateway.publish(node.spec, 1);
    node.startAgent();

    const { runtimes, connectors } = await node.running(1);

    expect(runtimes.map(({ runtime: name }) => name)).toEqual(['broker']);
    expect(connectors).toBeUndefined();
  });

  it('stop and start as the document requires, and keep their counts', async () => {
    const node = await aNode([SOURCE]);
    await status(node, 'it has moved all', (one) => report(one, 1)?.messages === 40);

    node.gateway.publish(withConnectors(node.spec, [SOURCE], { want: 'stopped' }), 2);
    const stopped = await status(node, 'it has stopped', ({ observed }) => observed.generation === 2);
    expect(runner(stopped)).toMatchObject({ status: 'stopped', pid: null });
    expect(report(stopped, 1)).toMatchObject({ status: 'stopped', messages: 40 });
    expect(await runtime.contact(node.home)).toBeNull();

    node.gateway.publish(withConnectors(node.spec, [SOURCE]), 3);
    const again = await status(
      node,
      'it runs again',
      (one) => one.observed.generation === 3 && report(one, 1)?.status === 'running',
    );
    expect(report(again, 1)?.messages).toBe(40);
  });

  it('restart for another configuration and for a requested restart, without a restart of the broker', async () => {
    const node = await aNode([SINK]);
    const pids = [(await contact(node)).pid];
    const broker = (await node.broker())?.pid;
    const changed = { ...SINK, config: { ...SINK.config, id: 71 } };

    node.gateway.publish(withConnectors(node.spec, [changed]), 2);
    await status(node, 'the change', (one) => one.observed.generation === 2 && report(one, 2)?.config_id === 71);
    pids.push((await contact(node)).pid);
    node.gateway.publish(withConnectors(node.spec, [changed], { restart: 1 }), 3);
    await status(node, 'the restart', ({ observed }) => observed.generation === 3);
    pids.push((await contact(node)).pid);

    expect(new Set(pids).size).toBe(3);
    expect((await node.broker())?.pid).toBe(broker);
  });
});
