import { randomInt } from 'node:crypto';
import { SeededRandom } from '@libs/testing';
import { anHttpSink, Destination, RunnerUnderTest } from './connectors.fixture.js';
import { until, type BrokerUnderTest } from './embedded.fixture.js';
import { missingOf, numbersOf } from './restart-backlog.fixture.js';

const RESTARTS = 50;
const BACKLOG = 10_000;
/** Published while the connectors restart, in parts. */
const DURING = 1_000;
const ALL = BACKLOG + DURING;
/** Moving again takes about a second, most of it the start of the process. A stuck session took 45 seconds. */
const AGAIN_MS = 3_000;
const ALL_MS = 240_000;

export interface RestartWorld {
  broker: BrokerUnderTest;
  runner: RunnerUnderTest;
  destination: Destination;
  /** Publishes these numbers in order. Resolves when all are acknowledged. */
  publish: (from: number, to: number) => Promise<void>;
}

/** A sink of small batches to a destination, beside a started broker. */
export async function aRestartWorld(
  broker: BrokerUnderTest,
  publish: RestartWorld['publish'],
  binaries: RunnerUnderTest['binaries'] = {},
): Promise<RestartWorld> {
  const destination = await Destination.start();
  const sink = anHttpSink(destination.url);
  const stream = { stream: 'demo', topics: ['numbers'], schema: 'json', batch_length: 10, poll_interval: '5ms' };
  Object.assign(sink.config.values, { streams: [stream] });
  const runner = new RunnerUnderTest(broker, [sink]);
  runner.binaries = binaries;
  return { broker, runner, destination, publish };
}

/**
 * Restarts the connectors at random moments of a backlog, every third time by SIGKILL, while others publish. Returns the figures,
 * in milliseconds from the start of the process to the next message.
 */
export async function restartsAtRandom({ runner, destination, publish }: RestartWorld) {
  // The seed in the message of a failure makes the same moments again.
  const seed = randomInt(2 ** 31);
  const random = new SeededRandom(seed);
  let kills = 0;
  const gaps: number[] = [];
  const publishing: Promise<void>[] = [];
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    await new Promise((wake) => setTimeout(wake, random.between(20, 220)));
    const isKill = restart % 3 === 2;
    if (isKill) kills += 1;
    await (isKill ? runner.kill() : runner.stop());
    const part = DURING / RESTARTS;
    publishing.push(publish(BACKLOG + restart * part, BACKLOG + (restart + 1) * part));
    const before = destination.taken.length;
    const startedAt = Date.now();
    await runner.start();
    await until(`moving again, restart ${restart}, seed ${seed}`, () => destination.taken.length > before, AGAIN_MS);
    gaps.push(Date.now() - startedAt);
  }
  await Promise.all(publishing);
  await until(
    'all messages',
    () => destination.taken.length >= ALL && missingOf(numbersOf(destination), ALL).length === 0,
    ALL_MS,
  );
  const doubled = destination.taken.length - ALL;
  gaps.sort((a, b) => a - b);
  const figures = { seed, kills, doubled, medianMs: gaps[RESTARTS / 2], longestMs: gaps.at(-1) };
  console.log(`${runner.broker.spec.broker.driver}: ${JSON.stringify(figures)}`);
  return figures;
}

export { BACKLOG };
