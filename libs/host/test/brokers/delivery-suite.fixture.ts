import { until, type BrokerUnderTest } from './embedded.fixture.js';
import { anHttpSink, aRandomSource, Destination, RunnerUnderTest } from './connectors.fixture.js';

const COUNT = 300;
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function aDestination(): Promise<Destination> {
  const destination = await Destination.start();
  ends.push(() => destination.stop());
  return destination;
}

/** No access rule allows any client, so only the connectors can connect. */
async function aRunner(
  make: () => Promise<BrokerUnderTest>,
  instances: ConstructorParameters<typeof RunnerUnderTest>[1],
): Promise<RunnerUnderTest> {
  const broker = await make();
  ends.push(() => broker.destroy());
  await broker.start();
  const runner = new RunnerUnderTest(broker, instances);
  ends.push(() => runner.stop());
  return runner;
}

const distinct = ({ ids }: Destination): number => new Set(ids).size;

/** After the sink has subscribed, all messages reach it. */
async function startSinkFirst(runner: RunnerUnderTest): Promise<void> {
  const { instances } = runner;
  runner.instances = instances.filter(({ type }) => type === 'sink');
  await runner.start();
  await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
  await runner.stop();
  runner.instances = instances;
}

/** Guarantees of the connectors for both brokers. The broker has no access rule, so only the connectors can connect. */
export function deliversAsPromised(make: () => Promise<BrokerUnderTest>): void {
  it('deliver every message exactly once over stops during delivery', async () => {
    const destination = await aDestination();
    const runner = await aRunner(make, [aRandomSource(COUNT), anHttpSink(destination.url)]);
    await startSinkFirst(runner);

    for (const part of [0.2, 0.5]) {
      await runner.start();
      await until(`${part} of the messages`, () => destination.taken.length > COUNT * part);
      await runner.stop();
    }
    await runner.start();
    const sink = await runner.reports('all are counted', 2, ({ messages }) => messages >= COUNT);

    expect(distinct(destination)).toBe(COUNT);
    expect(destination.taken).toHaveLength(COUNT);
    expect(sink).toMatchObject({ instance_id: 2, status: 'running', config_id: 20, error: null, messages: COUNT });
    expect(await runner.report(1)).toMatchObject({ status: 'running', messages: COUNT });
  });

  it('lose no message when they are killed, and repeat only unfinished messages with the same id', async () => {
    const destination = await aDestination();
    const runner = await aRunner(make, [aRandomSource(COUNT), anHttpSink(destination.url)]);
    await startSinkFirst(runner);

    const kills = [0.15, 0.4, 0.7];
    for (const part of kills) {
      await runner.start();
      await until(`${part} of the messages`, () => distinct(destination) > COUNT * part);
      await runner.kill();
    }
    await runner.start();
    await until('all messages', () => distinct(destination) === COUNT);

    const bodies = new Map(destination.taken.map(({ headers, body }) => [headers['ld-message-id'], payload(body)]));
    expect(bodies.size).toBe(COUNT);
    for (const { headers, body } of destination.taken)
      expect(payload(body)).toEqual(bodies.get(headers['ld-message-id']));
    expect(destination.taken.length).toBeLessThanOrEqual(COUNT + kills.length);
  });
}

/** Behavior of the connectors while the broker is down. */
export function waitForTheirBroker(make: () => Promise<BrokerUnderTest>): void {
  it('wait while the broker is down, and continue when it is back', async () => {
    const destination = await aDestination();
    const runner = await aRunner(make, [aRandomSource(COUNT), anHttpSink(destination.url)]);
    await startSinkFirst(runner);
    const { pid } = await runner.start();
    await until('some messages', () => destination.taken.length > COUNT / 5);

    await runner.broker.runtime.stop(runner.broker.home, 5_000);
    await runner.reports('it waits', 1, ({ status, error }) => status === 'starting' && error !== null);
    await runner.broker.start();
    await until('all messages', () => distinct(destination) === COUNT);

    expect((await runner.runtime.contact(runner.broker.home))?.pid).toBe(pid);
    expect(destination.taken).toHaveLength(COUNT);
  });
}

const payload = (body: string): unknown => (JSON.parse(body) as { payload: unknown }).payload;
