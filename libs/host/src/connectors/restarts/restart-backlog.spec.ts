import { describeWithNats, NATS_SERVER } from '@libs/testing';
import { anHttpSink, Destination, RunnerUnderTest } from '../../../test/brokers/connectors.fixture.js';
import { aNodeSpec, BrokerUnderTest, until } from '../../../test/brokers/embedded.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { missingOf, numbersOf, publishNumbers, subscribeOnce } from '../../../test/brokers/restart-backlog.fixture.js';

/** Much less than the keepalive of a session, after which a broker ends a connection that is stuck. */
const SOON_MS = 15_000;
const BACKLOG = 60;
const ALL = 150;
/** Small batches, so that more messages wait than a sink takes at once. */
const STREAMS = [{ stream: 'demo', topics: ['numbers'], schema: 'json', batch_length: 10, poll_interval: '100ms' }];
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function aSink(make: () => Promise<BrokerUnderTest>, values = {}) {
  const destination = await Destination.start();
  ends.push(() => destination.stop());
  const broker = await make();
  ends.push(() => broker.destroy());
  await broker.start();
  const sink = anHttpSink(destination.url);
  Object.assign(sink.config.values, { streams: STREAMS, ...values });
  const runner = new RunnerUnderTest(broker, [sink]);
  ends.push(() => runner.stop());
  return { broker, runner, destination };
}

function startsWithBacklog(make: () => Promise<BrokerUnderTest>): void {
  it('delivers them and what comes during the start at once, in order', async () => {
    const { broker, runner, destination } = await aSink(make);
    await subscribeOnce(runner);
    await publishNumbers(broker, 0, BACKLOG);

    const during = publishNumbers(broker, BACKLOG, ALL);
    await runner.start();
    await until('all messages', () => missingOf(numbersOf(destination), ALL).length === 0, SOON_MS);
    await during;

    expect(numbersOf(destination)).toEqual(Array.from({ length: ALL }, (_, number) => number));
    const report = await runner.reports('no message waits', 2, ({ lag }) => lag === 0);
    expect(report).toMatchObject({ status: 'running', messages: ALL, error: null });
  });

  it('publishes a refused message, although others wait behind it', async () => {
    const { broker, runner, destination } = await aSink(make, { dead_letter_topic: 'refused' });
    destination.refuses = (body) => (body.includes('"number":0}') ? 400 : null);
    await subscribeOnce(runner);
    await publishNumbers(broker, 0, ALL);

    await runner.start();
    await until('all others', () => missingOf(numbersOf(destination), ALL).length === 1, SOON_MS);

    expect(missingOf(numbersOf(destination), ALL)).toEqual([0]);
    await runner.reports('it counts the letter', 2, ({ dead_letters: letters }) => letters === 1);
  });
}

describe('A sink with waiting messages on the embedded broker', () => {
  startsWithBacklog(async () => BrokerUnderTest.of(await aNodeSpec()));
});

describeWithNats('A sink with waiting messages on nats', () => {
  startsWithBacklog(() => aNatsNode(NATS_SERVER));
});
