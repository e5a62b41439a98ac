import mqtt from 'mqtt';
import type { DeadLetterAnswer, DeadLetterRequest, StatusRequest } from '@libs/domain';
import { NodeUnderTest, until } from '../../../test/node/agent.fixture.js';
import {
  aConnector,
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
} from '../../../test/node/connectors.fixture.js';

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
      expect.objectContaining({
        instance_id: 2,
        status: 'running',
        config_id: 70,
        error: null,
        messages: 40,
        failed: 0,
      }),
      expect.objectContaining({ instance_id: 1, status: 'running', config_id: 70, error: null, messages: 40, lag: 0 }),
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

  it('take another configuration without a restart of the process or of other instances', async () => {
    const node = await aNode([SINK, SOURCE]);
    await status(node, 'both run', (one) => [1, 2].every((id) => report(one, id)?.status === 'running'));
    const before = await contact(node);
    const changed = { ...SINK, config: { ...SINK.config, id: 71 } };

    node.gateway.publish(withConnectors(node.spec, [changed, SOURCE]), 2);
    await status(
      node,
      'the change',
      ({ connectors }) => connectors?.[0]?.config_id === 71 && connectors[0].status === 'running',
    );

    expect((await contact(node)).pid).toBe(before.pid);
    const runs = (await node.log('connectors')).split('\n').filter((line) => line.includes('"connector runs"'));
    expect(runs.map((line) => (JSON.parse(line) as { instance: number }).instance).sort()).toEqual([1, 2, 2]);
  });

  it('restart for a requested restart, without a restart of the broker', async () => {
    const node = await aNode([SINK]);
    const { pid } = await contact(node);
    const broker = (await node.broker())?.pid;

    node.gateway.publish(withConnectors(node.spec, [SINK], { restart: 1 }), 2);
    await status(node, 'the restart', ({ observed }) => observed.generation === 2);

    expect((await contact(node)).pid).not.toBe(pid);
    expect((await node.broker())?.pid).toBe(broker);
  });
});

describe('the refused messages of a node', () => {
  const POISON = aConnector({ instance_id: 2, plugin: 'http' }, { url: 'https://192.0.2.1/', max_retries: 0 });
  const askNode = async (node: NodeUnderTest, body: DeadLetterRequest): Promise<DeadLetterAnswer> => {
    const { answer } = await node.gateway.ask(body);
    return JSON.parse(answer ?? 'null') as DeadLetterAnswer;
  };

  it('are counted, listed, replayed and deleted on request of the gateway', async () => {
    const node = await aNode([POISON]);
    await status(node, 'the sink runs', (one) => report(one, 2)?.status === 'running');
    const { username, password } = node.spec.credentials;
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${node.spec.listen.ports.tcp}`, { username, password });
    for (const text of ['poison 1', 'poison 2']) await client.publishAsync('demo/numbers', text, { qos: 1 });
    await client.endAsync();

    // The gauges of the node are read a moment before the reports of its connectors.
    const isCounted = (one: StatusRequest): boolean =>
      report(one, 2)?.failed === 2 && one.stats['connectors_messages_failed'] === 2;
    const reported = await status(node, 'the count', isCounted);
    expect(report(reported, 2)).toMatchObject({
      ...{ messages: 0, failed: 2, dead_letters: 2, dead_letters_dropped: 0, last_error: 'the payload is not JSON' },
    });
    expect(reported.stats).toMatchObject({
      ...{ connectors_messages_failed: 2, connectors_messages_moved: 0, connectors_memory_bytes: expect.any(Number) },
    });
    const { page } = await askNode(node, { instance_id: 2, action: 'list', page: 1, results: 10 });
    expect([page?.total, page?.items[0]]).toEqual([
      2,
      expect.objectContaining({ topic: 'demo/numbers', error: 'the payload is not JSON', attempts: 1 }),
    ]);
    expect(await askNode(node, { instance_id: 2, action: 'replay', ids: null })).toEqual({ count: 2 });
    await until('the attempts', async () => {
      const again = await askNode(node, { instance_id: 2, action: 'list', page: 1, results: 10 });
      return again.page?.items.every(({ attempts }) => attempts === 2) ? true : null;
    });
    expect(await askNode(node, { instance_id: 2, action: 'delete', ids: null })).toEqual({ count: 2 });
    expect((await askNode(node, { instance_id: 2, action: 'list', page: 1, results: 10 })).page?.total).toBe(0);
    expect(await node.gateway.ask({ instance_id: 9, action: 'replay', ids: null })).toMatchObject({
      ...{ answer: null, error: expect.stringContaining('does not run') },
    });
  });
});
