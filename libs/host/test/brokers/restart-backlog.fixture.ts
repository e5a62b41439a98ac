import type { Destination, RunnerUnderTest } from './connectors.fixture.js';
import type { BrokerUnderTest } from './embedded.fixture.js';

/** The topic that the connectors of specs read. */
const TOPIC = 'demo/numbers';
/** Messages that are published and not acknowledged yet. */
const AT_ONCE = 100;

/** Publishes messages `from` to `to` in order. Resolves when the broker has acknowledged all. */
export async function publishNumbers(broker: BrokerUnderTest, from: number, to: number): Promise<void> {
  const client = await broker.client();
  for (let next = from; next < to; next += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, to - next) }, (_, index) => next + index);
    await Promise.all(numbers.map((number) => client.publishAsync(TOPIC, JSON.stringify({ number }), { qos: 1 })));
  }
  await client.endAsync();
}

/** The numbers that a destination has taken, in order. */
export const numbersOf = ({ taken }: Destination): number[] =>
  taken.map(({ body }) => (JSON.parse(body) as { payload: { number: number } }).payload.number);

/** The ascending numbers below `count` that are missing. */
export function missingOf(numbers: readonly number[], count: number): number[] {
  const arrived = new Set(numbers);
  return Array.from({ length: count }, (_, number) => number).filter((number) => !arrived.has(number));
}

/** Resolves when the sink has a session at the broker, which keeps its messages from now on. */
export async function subscribeOnce(runner: RunnerUnderTest): Promise<void> {
  await runner.start();
  await runner.reports('the sink runs', 2, ({ status }) => status === 'running');
  await runner.stop();
}
