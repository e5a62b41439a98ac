import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { ConnectorReport } from '@libs/domain';
import { enterBroker } from '../control/inlet.js';
import { proveRequest } from '../control/proofs.js';
import { aNodeSpec, BrokerUnderTest, until } from '../../test/brokers/embedded.fixture.js';
import { contactInstance } from '../control/instance-socket.js';
import { nodeFlag } from '../control/node-home.js';
import { pidsWith } from '../os/process-table.js';
import {
  aConnector,
  anHttpSink,
  aRandomSource,
  Destination,
  RunnerUnderTest,
} from '../../test/brokers/connectors.fixture.js';

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A broker that also accepts clients of this machine, and a connectors process that is not started yet. */
async function aRunner(instances: ConstructorParameters<typeof RunnerUnderTest>[1]): Promise<RunnerUnderTest> {
  const broker = await BrokerUnderTest.of(await aNodeSpec());
  ends.push(() => broker.destroy());
  await broker.start();
  const runner = new RunnerUnderTest(broker, instances);
  ends.push(() => runner.stop());
  return runner;
}

async function aDestination(): Promise<Destination> {
  const destination = await Destination.start();
  ends.push(() => destination.stop());
  return destination;
}

describe('the inlet of a broker', () => {
  it('accepts only a proof of the node, and is not reachable over the network', async () => {
    const { broker } = await aRunner([]);
    (await enterBroker(broker.home, broker.runtime.inlet)).destroy();

    const { tcp, http, websocket } = broker.spec.listen.ports;
    const contact = await contactInstance(broker.home, 'broker');
    if (contact === null) throw new RangeError('no contact');
    const { header: proof } = proveRequest(contact.token, 'inlet', { method: 'GET', path: '/mqtt', payload: '' });
    const ask = `GET /mqtt HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: mqtt\r\nauthorization: ${proof}\r\n\r\n`;
    const answers = await Promise.all([tcp, http, websocket].map((port) => said(port ?? 0, ask)));
    for (const answer of answers) expect(answer).not.toContain('101');
  });
});

/** The text that a port sends after these bytes, until it closes or after a timeout. */
function said(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined);
    socket.once('close', () => resolve(text));
  });
}

describe('the connectors process', () => {
  it('delivers messages of clients in order, each once', async () => {
    const destination = await aDestination();
    const runner = await aRunner([anHttpSink(destination.url, { include_metadata: false })]);
    await runner.start();
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
    const client = await runner.broker.client();

    for (const number of [1, 2, 3, 3])
      await client.publishAsync('demo/numbers', JSON.stringify({ number }), { qos: 1 });
    await client.publishAsync('demo/other', '{"number":9}', { qos: 1 });
    await client.endAsync();

    await runner.reports('all are counted', 2, ({ messages }) => messages === 4);
    // Two messages with equal contents are still two messages.
    expect(destination.taken.map(({ body }) => JSON.parse(body).number)).toEqual([1, 2, 3, 3]);
  });

  it('reports a destination that refuses messages, keeps the messages, and continues later', async () => {
    const destination = await aDestination();
    destination.status = 500;
    // The number of messages is unlimited, because messages from before the sink's session are lost.
    const runner = await aRunner([aRandomSource(1_000_000), anHttpSink(destination.url, { max_retries: 0 })]);
    await runner.start();

    await runner.reports(
      'the failure',
      2,
      ({ status, error }) => status === 'failed' && error === 'the destination returned 500',
    );
    destination.status = 200;

    const { status, error } = await runner.reports('the deliveries', 2, ({ messages }) => messages > 0);
    expect([status, error]).toEqual(['running', null]);
    const { length } = destination.taken;
    expect(new Set(destination.ids).size).toBe(length);
  });

  it('applies transforms and keeps the message id', async () => {
    const destination = await aDestination();
    const source = aRandomSource(10);
    const transforms = { filter_fields: { enabled: true, keep_fields: ['sequence'] } };
    source.config.values.transforms = transforms;
    const runner = await aRunner([anHttpSink(destination.url)]);
    await runner.start();
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
    await runner.stop();
    runner.instances = [source, anHttpSink(destination.url)];
    await runner.start();

    await until('all messages', () => destination.taken.length === 10);
    expect(JSON.parse(destination.taken[0]?.body ?? '').payload).toEqual({ sequence: 0, ld_id: '1-1-0' });
  });

  it.each([
    [aConnector('sink', { plugin: 'iceberg' }), /does not support the sink iceberg/],
    [aConnector('sink', { values: { plugin_config: { url: 'https://127.0.0.1/' } } }), /private/],
    [
      aConnector('source', { values: { streams: [{ stream: 'a', topics: ['#'], schema: 'json' }] } }),
      /not a valid name of a topic/,
    ],
    [
      aConnector('source', { values: { streams: [{ stream: 'a', topics: ['b'], schema: 'avro' }] } }),
      /avro is not supported/,
    ],
    [
      aConnector('source', { values: { transforms: { proto_convert: { enabled: true } } } }),
      /does not support the transform proto_convert/,
    ],
  ])('reports why it cannot run a connector: %#', async (connector, reason) => {
    const runner = await aRunner([connector]);
    await runner.start(false);

    const { error } = await runner.reports('the failure', connector.instance_id, ({ status }) => status === 'failed');
    expect(error).toMatch(reason);
  });

  it('stops a disabled connector', async () => {
    const runner = await aRunner([aConnector('source', { values: { enabled: false } })]);
    await runner.start();
    const report = await runner.reports('it is stopped', 1, ({ status }) => status === 'stopped');
    expect(report).toMatchObject({ config_id: 10, error: null, messages: 0, failed: 0 });
  });

  it('does not start a connector without its plugin, keeps its messages, and starts it later', async () => {
    const destination = await aDestination();
    const runner = await aRunner([anHttpSink(destination.url)]);
    runner.absent = [];
    const { pid } = await runner.start();
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
    const client = await runner.broker.client();
    await client.publishAsync('demo/numbers', '{"while":"present"}', { qos: 1 });
    await runner.reports('the first message has moved', 2, ({ messages }) => messages === 1);
    runner.absent = [2];
    await runner.apply(runner.instances);
    const waits = ({ status, messages }: ConnectorReport): boolean => status === 'starting' && messages === 1;
    await runner.reports('the sink waits, and its count stays', 2, waits);
    await client.publishAsync('demo/numbers', '{"while":"absent"}', { qos: 1 });
    await client.endAsync();

    expect(await runner.report(2)).toMatchObject({ status: 'starting', error: null, messages: 1 });
    runner.absent = [];
    await runner.apply(runner.instances);
    await until('the message', () => destination.taken.some(({ body }) => body.includes('absent')));
    expect((await runner.runtime.contact(runner.broker.home))?.pid).toBe(pid);
  });

  it('has the flag of its node in its argv, and uses little memory', async () => {
    const runner = await aRunner([aRandomSource(10), anHttpSink('http://127.0.0.1:1/')]);
    const { pid } = await runner.start();
    await runner.reports('the source runs', 1, ({ status }) => status === 'running');

    expect(await pidsWith([nodeFlag(runner.broker.home)])).toContain(pid);
    const { memory_bytes: bytes = Infinity } = await runner.runtime.stats(runner.broker.home);
    expect(bytes / 2 ** 20).toBeLessThan(128);
  });

  it('writes secrets only to a file for its owner, and not to its log', async () => {
    const destination = await aDestination();
    const runner = await aRunner([anHttpSink(destination.url, { headers: { authorization: 'Bearer very-secret' } })]);
    await runner.start();
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');

    expect((await stat(join(runner.broker.home.dir, 'connectors.json'))).mode & 0o777).toBe(0o600);
    expect(await runner.log()).not.toContain('very-secret');
  });
});

describe('connectors on another node than the leader', () => {
  it('get messages through the follower, like clients', async () => {
    const [leader, follower] = await aCluster();
    const destination = await aDestination();
    const runner = new RunnerUnderTest(follower, [anHttpSink(destination.url, { include_metadata: false })]);
    ends.push(() => runner.stop());
    await runner.start();
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');

    const client = await leader.client();
    await client.publishAsync('demo/numbers', '{"from":"the leader"}', { qos: 1 });
    await client.endAsync();

    await until('the message', () => destination.taken.length > 0);
    expect(destination.taken.map(({ body }) => body)).toEqual(['{"from":"the leader"}']);
  });
});

async function aCluster(): Promise<[BrokerUnderTest, BrokerUnderTest]> {
  const shared = { size: 2, secret: 'cluster secret' };
  const leader = await BrokerUnderTest.of(await aNodeSpec({ cluster: { ...shared, ordinal: 1, leader: null } }));
  const address = { host: '127.0.0.1', port: leader.spec.listen.peer ?? 0 };
  const cluster = { ...shared, ordinal: 2, leader: address };
  const follower = await BrokerUnderTest.of(await aNodeSpec({ nodeId: 2, cluster }));
  ends.push(() => Promise.all([leader.destroy(), follower.destroy()]));
  await Promise.all([leader.start(), follower.start()]);
  return [leader, follower];
}
