import type { SeededRandom } from '@libs/testing';
import type { MachineWorld } from '../machines/machine-world.js';

const MOST_KILLS = 8;

/** Spoils calls of the driver, at the cloud or before it. */
export interface FaultyCloud {
  /** The next calls are refused as too many. */
  throttle(requests: number): void;
  /** The next change has its effect, and its answer is lost. */
  loseNextReply(): void;
}

/** Until the work ends: kills the Supervisor at any time, and spoils calls before each kill. */
export async function amidFaults<T>(
  work: Promise<T>,
  { random, calls, machines }: { random: SeededRandom; calls: FaultyCloud; machines: MachineWorld },
): Promise<T> {
  const { supervisor } = machines.cloud;
  console.log(`FAULT_SEED=${random.seed}`);
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  ended.catch(() => undefined);
  calls.throttle(2);
  for (let kills = 0; kills < MOST_KILLS && !isOver; kills += 1) {
    if (random.next() < 0.5) calls.loseNextReply();
    if (random.next() < 0.5) calls.throttle(Math.round(random.between(1, 4)));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, random.between(500, 4_000)))]);
    await supervisor.kill();
    await supervisor.start();
  }
  return ended;
}
