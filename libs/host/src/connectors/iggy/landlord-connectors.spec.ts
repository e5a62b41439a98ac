import { describeWithIggyConnectors, type IggyHttp } from '@libs/testing';
import {
  aRandomSource,
  anHttpSink,
  Destination,
  type RunnerUnderTest,
} from '../../../test/brokers/connectors.fixture.js';
import { until } from '../../../test/brokers/embedded.fixture.js';
import {
  anIggyRunner,
  aPluginSource,
  BUILT_IN,
  clientOf,
  endIggyRunners,
} from '../../../test/brokers/iggy-connectors.fixture.js';

const destinations: Destination[] = [];

async function aDestination(): Promise<Destination> {
  const destination = await Destination.start();
  destinations.push(destination);
  return destination;
}

afterEach(async () => {
  await endIggyRunners();
  await Promise.all(destinations.splice(0).map((one) => one.stop()));
});

/** Sends numbered JSON messages to topic demo/numbers. */
async function sendNumbers(client: IggyHttp, from: number, count: number): Promise<void> {
  const messages = Array.from({ length: count }, (_, index) => {
    return { id: 0, payload: Buffer.from(JSON.stringify({ n: from + index })).toString('base64') };
  });
  const body = { partitioning: { kind: 'balanced', value: '' }, messages };
  expect((await client.call('POST', '/streams/demo/topics/numbers/messages', body)).status).toBe(201);
}

const numbersAt = ({ taken }: Destination): number[] =>
  taken.map(({ body }) => (JSON.parse(body) as { payload: { n: number } }).payload.n);

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

async function restartServer({ broker }: RunnerUnderTest): Promise<void> {
  const { pid } = await broker.ready();
  process.kill(pid, 'SIGKILL');
  await until('the server is gone', async () => (await broker.runtime.contact(broker.home)) === null);
  await broker.start();
}

describeWithIggyConnectors('connectors without a plugin on a node with iggy', () => {
  it('run beside those with a plugin, and are reported in one list', async () => {
    const destination = await aDestination();
    const sink = { ...anHttpSink(destination.url), ...BUILT_IN };
    const runner = await anIggyRunner([aPluginSource({ max_count: 40 }), sink]);

    await runner.reports('the plugin has sent', 1, ({ messages }) => messages === 40);
    const report = await runner.reports('the sink has delivered', 2, ({ messages }) => messages === 40);

    expect(report).toMatchObject({ status: 'running', failed: 0, dead_letters: 0, last_error: null });
    expect(destination.taken).toHaveLength(40);
  });

  it('write to a topic that did not exist, in order', async () => {
    const runner = await anIggyRunner([{ ...aRandomSource(50), ...BUILT_IN }]);

    await runner.reports('the source has sent', 1, ({ messages }) => messages === 50);

    const client = await clientOf(runner);
    const path = '/streams/demo/topics/numbers/messages?consumer_id=9&partition_id=0&kind=offset&value=0&count=100';
    const { body } = await client.call<{ messages: { payload: string }[] }>('GET', `${path}&auto_commit=false`);
    const ids = body.messages.map(({ payload }) => {
      return (JSON.parse(Buffer.from(payload, 'base64').toString()) as { ld_id: string }).ld_id;
    });
    expect(ids).toEqual(range(0, 50).map((n) => `1-1-${n}`));
  });

  it('deliver each message in order, over ends of the server and of the connectors', async () => {
    const destination = await aDestination();
    const runner = await anIggyRunner([{ ...anHttpSink(destination.url), ...BUILT_IN }]);
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
    await sendNumbers(await clientOf(runner), 0, 20);
    await runner.reports('the first messages', 2, ({ messages }) => messages === 20);

    await restartServer(runner);
    await sendNumbers(await clientOf(runner), 20, 20);
    await runner.reports('the next messages', 2, ({ messages }) => messages === 40);
    await runner.kill();
    await sendNumbers(await clientOf(runner), 40, 20);
    await runner.start();
    await runner.reports('the last messages', 2, ({ messages }) => messages === 60);

    expect(numbersAt(destination)).toEqual(range(0, 60));
  });

  it('keep messages that a service does not take now, and store no offset beyond them', async () => {
    const destination = await aDestination();
    destination.status = 503;
    const runner = await anIggyRunner([{ ...anHttpSink(destination.url), ...BUILT_IN }]);
    await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
    await sendNumbers(await clientOf(runner), 0, 5);
    await runner.reports('the failure', 2, ({ status }) => status === 'failed');

    await runner.kill();
    destination.status = 200;
    await runner.start();
    await runner.reports('the delivery', 2, ({ messages }) => messages === 5);

    expect(numbersAt(destination)).toEqual(range(0, 5));
  });
});
