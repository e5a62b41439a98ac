import type { ConnectorReport, NodeConnector, NodeConnectors, NodeSpec, StatusRequest } from '@libs/domain';
import { ConnectorsRuntime, type ConnectorsContact } from '@libs/broker/runtime';
import mqtt from 'mqtt';
import { NodeUnderTest, until } from './agent.fixture.js';

const nodes: NodeUnderTest[] = [];
const runtime = new ConnectorsRuntime();

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.destroy()));
});

const STREAM = { stream: 'demo', topics: ['numbers'], schema: 'json' };

function aConnector(changes: Partial<NodeConnector>, config: Record<string, unknown>, enabled = true): NodeConnector {
  const instance_id = changes.instance_id ?? 1;
  return {
    ...{ instance_id, key: `c${instance_id}`, name: 'A connector', plugin_version: '1.0.0' },
    ...{ type: 'sink', plugin: 'stdout' },
    ...changes,
    config: { id: 70, version: 1, values: { enabled, streams: [STREAM], plugin_config: config, transforms: {} } },
  };
}

const SOURCE = aConnector({ instance_id: 1, type: 'source', plugin: 'random' }, { interval: '10ms', max_count: 40 });
const SINK = aConnector({ instance_id: 2 }, { print_payload: true });

function withConnectors(spec: NodeSpec, instances: NodeConnector[], changes: Partial<NodeConnectors> = {}): NodeSpec {
  return { ...spec, connectors: { want: 'running', restart: 0, instances, ...changes } };
}

/** A node whose connectors are applied as generation 1 says. */
async function aNode(instances: NodeConnector[]): Promise<NodeUnderTest> {
  const node = await NodeUnderTest.create();
  nodes.push(node);
  node.gateway.publish(withConnectors(node.spec, instances), 1);
  node.startAgent();
  await node.running(1);
  return node;
}

const runner = (status: StatusRequest) => status.runtimes.find(({ runtime: name }) => name === 'connectors');

/** The first status that fits, those that came already included. */
function status(node: NodeUnderTest, what: string, fits: (status: StatusRequest) => boolean): Promise<StatusRequest> {
  return until(what, () => node.gateway.statuses.findLast(fits));
}

const report = ({ connectors }: StatusRequest, id: number): ConnectorReport | undefined =>
  connectors?.find(({ instance_id }) => instance_id === id);

function contact(node: NodeUnderTest): Promise<ConnectorsContact> {
  return until('the runner answers', () => runtime.contact(node.place).catch(() => null));
}

/** Whether the broker keeps messages for a client of this name. */
async function isSessionKept({ spec }: NodeUnderTest, clientId: string): Promise<boolean> {
  const { username, password } = spec.credentials;
  const options = { username, password, clientId, clean: false, reconnectPeriod: 0 };
  const client = mqtt.connect(`mqtt://127.0.0.1:${spec.listen.ports.tcp}`, options);
  const { sessionPresent } = await new Promise<{ sessionPresent: boolean }>((done) => client.once('connect', done));
  await client.endAsync(true);
  return sessionPresent;
}

describe('the connectors of a node', () => {
  it('run when the document names some, and are told of by each status', async () => {
    const node = await aNode([SINK]);
    // Once the sink listens, everything that is made reaches it.
    await status(node, 'the sink runs', (one) => report(one, 2)?.status === 'running');
    node.gateway.publish(withConnectors(node.spec, [SINK, SOURCE]), 2);

    const told = await status(node, 'all have moved', (one) => (report(one, 2)?.messages ?? 0) >= 40);

    expect(runner(told)).toMatchObject({ status: 'running', restarts: 0, last_error: null });
    expect(told.connectors).toEqual([
      { instance_id: 2, status: 'running', config_id: 70, error: null, messages: 40 },
      { instance_id: 1, status: 'running', config_id: 70, error: null, messages: 40 },
    ]);
    expect(await node.log('connectors')).toContain('"payload":"{');
  });

  it('are not spoken of while the document does not', async () => {
    const node = await NodeUnderTest.create();
    nodes.push(node);
    node.gateway.publish(node.spec, 1);
    node.startAgent();

    const { runtimes, connectors } = await node.running(1);

    expect(runtimes.map(({ runtime: name }) => name)).toEqual(['broker']);
    expect(connectors).toBeUndefined();
  });

  it('stop and start as the document wants, with their counts kept', async () => {
    const node = await aNode([SOURCE]);
    await status(node, 'it has moved all', (one) => report(one, 1)?.messages === 40);

    node.gateway.publish(withConnectors(node.spec, [SOURCE], { want: 'stopped' }), 2);
    const stopped = await status(node, 'it has stopped', ({ observed }) => observed.generation === 2);
    expect(runner(stopped)).toMatchObject({ status: 'stopped', pid: null });
    expect(report(stopped, 1)).toMatchObject({ status: 'stopped', messages: 40 });
    expect(await runtime.contact(node.place)).toBeNull();

    node.gateway.publish(withConnectors(node.spec, [SOURCE]), 3);
    const again = await status(
      node,
      'it runs again',
      (one) => one.observed.generation === 3 && report(one, 1)?.status === 'running',
    );
    expect(report(again, 1)?.messages).toBe(40);
  });

  it('are restarted for another configuration and for a restart that is asked for, and the broker is not', async () => {
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

  it('go on while the agent is away, and are adopted by the next', async () => {
    const node = await aNode([SINK]);
    const { pid } = await contact(node);

    await node.endAgent('SIGKILL');
    expect((await contact(node)).pid).toBe(pid);
    const from = node.gateway.statuses.length;
    node.startAgent();

    const told = await until('a status of the next agent', () =>
      node.gateway.statuses.slice(from).find((one) => runner(one)?.status === 'running'),
    );
    expect(runner(told)).toMatchObject({ pid, restarts: 0 });
  });

  it('are started again when they are killed, with patience', async () => {
    const node = await aNode([SINK]);
    const { pid } = await contact(node);

    process.kill(pid, 'SIGKILL');

    const told = await status(
      node,
      'the restart',
      (one) => runner(one)?.restarts === 1 && runner(one)?.status === 'running',
    );
    expect(runner(told)?.pid).not.toBe(pid);
  });

  it('say why one cannot work, which does not hold up the document or the others', async () => {
    const broken = aConnector({ instance_id: 9, plugin: 'postgres' }, {});
    const node = await aNode([SINK, broken]);

    const told = await status(node, 'the failure', (one) => report(one, 9)?.status === 'failed');

    expect(report(told, 9)?.error).toMatch(/postgres does not run on this broker/);
    expect(told.observed.generation).toBe(1);
    await status(node, 'the other runs', (one) => report(one, 2)?.status === 'running');
  });

  it('leave nothing at the broker when they are removed', async () => {
    const node = await aNode([SINK]);
    await status(node, 'it runs', (one) => report(one, 2)?.status === 'running');
    await runtime.kill(node.place);
    expect(await isSessionKept(node, 'landlord-connector-1-2')).toBe(true);

    node.gateway.publish(node.spec, 2);
    await until('the runner has ended', async () => (await runtime.contact(node.place)) === null);
    const { observed } = await status(
      node,
      'of it',
      (one) => one.observed.generation === 2 && one.connectors === undefined,
    );
    expect(observed.generation).toBe(2);
    expect(await isSessionKept(node, 'landlord-connector-1-2')).toBe(false);
  });
});

describe('the memory of the node', () => {
  it('is what its connectors may use, too', async () => {
    const node = await NodeUnderTest.create();
    nodes.push(node);
    const broker = { ...node.spec.broker, want: 'running' as const };
    node.gateway.publish(withConnectors({ ...node.spec, broker }, [SINK]), 1);
    node.startAgent();
    await contact(node);

    node.gateway.publish(
      withConnectors({ ...node.spec, broker: { ...broker, limits: { memory_mib: 16, storage_mib: 64 } } }, [SINK]),
      2,
    );

    const told = await status(node, 'the death', (one) => /the connectors used/.test(runner(one)?.last_error ?? ''));
    expect(runner(told)?.last_error).toMatch(/used \d+ MiB of memory, and its node has 16 MiB/);
  });
});

describe('the log of connectors', () => {
  it('is sent as theirs, without the secrets of their configurations', async () => {
    const headers = { authorization: 'Bearer very-secret-word' };
    const values = { ...aConnector({}, { headers }).config.values.plugin_config };
    const node = await aNode([
      {
        ...SINK,
        config: {
          ...SINK.config,
          values: { ...SINK.config.values, plugin_config: { ...values, print_payload: true } },
        },
      },
    ]);
    await status(node, 'it runs', (one) => report(one, 2)?.status === 'running');

    const client = await node.client();
    await client.publishAsync('demo/numbers', JSON.stringify({ said: 'a very-secret-word' }), { qos: 1 });
    const line = await until('the line', () =>
      node.gateway.logs
        .flatMap(({ lines }) => lines)
        .find(({ message }) => message.includes('"said\\":') || message.includes('said')),
    );
    await client.endAsync(true);

    expect(line.runtime).toBe('connectors');
    expect(JSON.stringify(node.gateway.logs)).not.toContain('very-secret-word');
  });
});
