import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { enterBroker } from '../control/inlet.js';
import { proveRequest } from '../control/proofs.js';
import { aNodeSpec, BrokerUnderTest, until } from '../../test/embedded.fixture.js';
import { contactInstance } from '../instance-socket.js';
import { nodeFlag } from '../node-place.js';
import { pidsWithArguments } from '../process-scan.js';
import { aConnector, anHttpSink, aRandomSource, Destination, RunnerUnderTest } from '../../test/connectors.fixture.js';

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A broker that lets in this machine's clients too, and a runner that is not started yet. */
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
  it('opens for a proof of the node only, and nothing on the network leads to it', async () => {
    const { broker } = await aRunner([]);
    (await enterBroker(broker.place, broker.runtime.inlet)).destroy();

    const { tcp, http, websocket } = broker.spec.listen.ports;
    const contact = await contactInstance(broker.place, 'broker');
    if (contact === null) throw new RangeError('no contact');
    const { header: proof } = proveRequest(contact.token, 'inlet', { method: 'GET', path: '/mqtt', payload: '' });
    const ask = `GET /mqtt HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: mqtt\r\nauthorization: ${proof}\r\n\r\n`;
    const answers = await Promise.all([tcp, http, websocket].map((port) => said(port ?? 0, ask)));
    for (const answer of answers) expect(answer).not.toContain('101');
  });
});

/** What a port says to these bytes before it hangs up, or within a while. */
function said(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined);
    socket.once('close', () => resolve(text));
  });
}

describe('a runner of connectors', () => {
  it('delivers what clients publish, in order, each once', async () => {
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
    // Equal contents are two messages all the same.
    expect(destination.taken.map(({ body }) => JSON.parse(body).number)).toEqual([1, 2, 3, 3]);
  });

  it('says that a destination does not take anything, keeps what it should have taken, and goes on', async () => {
    const destination = await aDestination();
    destination.status = 500;
    // Without end: what a source sends before the sink has a session is nobody's.
    const runner = await aRunner([aRandomSource(1_000_000), anHttpSink(destination.url, { max_retries: 0 })]);
    await runner.start();

    await runner.reports(
      'the failure',
      2,
      ({ status, error }) => status === 'failed' && error === 'the destination answered 500',
    );
    destination.status = 200;

    const { status, error } = await runner.reports('the deliveries', 2, ({ messages }) => messages > 0);
    expect([status, error]).toEqual(['running', null]);
    const { length } = destination.taken;
    expect(new Set(destination.ids).size).toBe(length);
  });

  it('transforms messages, and keeps the id of its own through it', async () => {
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
    [aConnector('sink', { plugin: 'postgres' }), /sink postgres does not run/],
    [aConnector('sink', { values: { plugin_config: { url: 'https://127.0.0.1/' } } }), /private/],
    [
      aConnector('source', { values: { streams: [{ stream: 'a', topics: ['#'], schema: 'json' }] } }),
      /no name of a topic/,
    ],
    [
      aConnector('source', { values: { streams: [{ stream: 'a', topics: ['b'], schema: 'avro' }] } }),
      /avro is not supported/,
    ],
    [
      aConnector('source', { values: { transforms: { proto_convert: { enabled: true } } } }),
      /proto_convert does not run/,
    ],
  ])('does not run what it cannot run, and says why: %#', async (connector, reason) => {
    const runner = await aRunner([connector]);
    await runner.start(false);

    const { error } = await runner.reports('the failure', connector.instance_id, ({ status }) => status === 'failed');
    expect(error).toMatch(reason);
  });

  it('rests what is disabled', async () => {
    const runner = await aRunner([aConnector('source', { values: { enabled: false } })]);
    await runner.start();
    expect(await runner.report(1)).toEqual({
      instance_id: 1,
      status: 'stopped',
      config_id: 10,
      error: null,
      messages: 0,
    });
  });

  it('carries the mark of its node, by which the end of the node finds it, and is small', async () => {
    const runner = await aRunner([aRandomSource(10), anHttpSink('http://127.0.0.1:1/')]);
    const { pid } = await runner.start();
    await runner.reports('the source runs', 1, ({ status }) => status === 'running');

    expect(await pidsWithArguments([nodeFlag(runner.broker.place)])).toContain(pid);
    const { memory_bytes: bytes = Infinity } = await runner.runtime.stats(runner.broker.place);
    expect(bytes / 2 ** 20).toBeLessThan(128);
  });

  it('keeps its secrets in a file that only its owner reads, and out of its log', async () => {
    const destination = await aDestination();
    const runner = await aRunner([anHttpSink(destination.url, { headers: { authorization: 'Bearer very-secret' } })]);
    await runner.start();
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');

    expect((await stat(join(runner.broker.place.dir, 'connectors.json'))).mode & 0o777).toBe(0o600);
    expect(await runner.log()).not.toContain('very-secret');
  });
});

describe('connectors on another node than the one with the messages', () => {
  it('are carried to it, as clients are', async () => {
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
