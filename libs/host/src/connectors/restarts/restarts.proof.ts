import { jest } from '@jest/globals';
import {
  describeWithIggy,
  describeWithNats,
  IGGY_CONNECTORS,
  IGGY_LIBRARIES,
  IggyHttp,
  NATS_SERVER,
} from '@libs/testing';
import { aNodeSpec, BrokerUnderTest } from '../../../test/brokers/embedded.fixture.js';
import { anIggyNode } from '../../../test/brokers/iggy.fixture.js';
import { BUILT_IN } from '../../../test/brokers/iggy-connectors.fixture.js';
import { aNatsNode } from '../../../test/brokers/nats.fixture.js';
import { publishNumbers, subscribeOnce } from '../../../test/brokers/restart-backlog.fixture.js';
import { aRestartWorld, BACKLOG, restartsAtRandom, type RestartWorld } from '../../../test/brokers/restarts.fixture.js';

/** 50 restarts and 11,000 requests, on a busy machine. */
const PATIENCE_MS = 600_000;
/** nats sends what an earlier connection left unacknowledged only after this time, 30 seconds by default. */
const ACK_WAIT_S = 1;
/** Fifty restarts and eleven thousand messages take two minutes on two cores. */
jest.setTimeout(600_000);

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function survivesRestarts(world: RestartWorld): Promise<void> {
  const { runner, destination } = world;
  ends.push(
    () => destination.stop(),
    () => runner.stop(),
  );
  await subscribeOnce(runner);
  await world.publish(0, BACKLOG);
  await runner.start();

  const { kills, doubled } = await restartsAtRandom(world);

  // Only a message that the destination took just before a SIGKILL comes twice.
  expect(doubled).toBeLessThanOrEqual(kills);
  await runner.reports('nothing waits', 2, ({ lag }) => lag === 0);
}

async function started(broker: BrokerUnderTest): Promise<BrokerUnderTest> {
  ends.push(() => broker.destroy());
  await broker.start();
  return broker;
}

async function overMqtt(broker: BrokerUnderTest): Promise<void> {
  await survivesRestarts(await aRestartWorld(broker, (from, to) => publishNumbers(broker, from, to)));
}

describe('A sink with a backlog on the embedded broker', () => {
  it(
    'loses nothing over 50 restarts, and moves again soon after each',
    async () => {
      await overMqtt(await started(await BrokerUnderTest.of(await aNodeSpec())));
    },
    PATIENCE_MS,
  );
});

describeWithNats('A sink with a backlog on nats', () => {
  it(
    'loses nothing over 50 restarts, and moves again soon after each',
    async () => {
      const broker = await aNatsNode(NATS_SERVER, { values: { 'mqtt.ack_wait': ACK_WAIT_S } });
      await overMqtt(await started(broker));
    },
    PATIENCE_MS,
  );
});

describeWithIggy('A sink with a backlog on iggy', () => {
  it(
    'loses nothing over 50 restarts, and moves again soon after each',
    async () => {
      const broker = await started(await anIggyNode());
      const client = await IggyHttp.signIn(broker.spec.listen.ports.http);
      const publish = async (from: number, to: number): Promise<void> => {
        for (let next = from; next < to; next += 500) {
          const numbers = Array.from({ length: Math.min(500, to - next) }, (_, index) => next + index);
          const messages = numbers.map((number) => ({
            id: 0,
            payload: Buffer.from(JSON.stringify({ number })).toString('base64'),
          }));
          const body = { partitioning: { kind: 'balanced', value: '' }, messages };
          const { status } = await client.call('POST', '/streams/demo/topics/numbers/messages', body);
          if (status >= 300) throw new Error(`iggy answered ${status}`);
        }
      };
      const binaries = {
        ...(IGGY_CONNECTORS !== null && { iggy_connectors: IGGY_CONNECTORS }),
        ...(IGGY_LIBRARIES !== null && { iggy_libraries: IGGY_LIBRARIES }),
      };
      const world = await aRestartWorld(broker, publish, binaries);
      world.runner.instances = world.runner.instances.map((instance) => ({ ...instance, ...BUILT_IN }));
      await survivesRestarts(world);
    },
    PATIENCE_MS,
  );
});
