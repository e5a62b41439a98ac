import { setTimeout as delay } from 'node:timers/promises';
import { BROKER_OF_THE_RUN, eventually, type BrokerClient, type TestCloud } from '@libs/testing';
import { openClient } from './kept-message.js';
import type { Promised } from './promised.js';

const TOPIC = 'faults/numbers';
const BATCH = 10;
const PAUSE_MS = 50;
const PATIENCE_MS = 60_000;
/** A number that was written again after a lost answer is there twice, so there can be more texts than numbers. */
const ALL = 100_000;

/** Brokers of MQTT keep one message for each topic, so only Iggy has a log of numbers. */
export const WRITES_NUMBERS = BROKER_OF_THE_RUN === 'iggy';

/** Writes numbers in order by HTTP until `end`, and notes the acknowledged ones. Faults end connections: then it signs in again. */
export async function writeNumbers(cloud: TestCloud, promised: Promised, end: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = end.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  let client: BrokerClient | null = null;
  while (!isOver && !promised.isDeleted) {
    client ??= await openClient(cloud, promised.id).catch(() => null);
    const first = promised.nextNumber;
    const batch = Array.from({ length: BATCH }, (_, index) => first + index);
    promised.nextNumber += BATCH;
    try {
      await client?.write(TOPIC, ...batch.map(String));
      if (client) promised.numbers.push(...batch);
    } catch {
      client = null;
    }
    await delay(PAUSE_MS);
  }
  await over;
}

/** Every number that a broker has acknowledged is there. */
export async function numbersKept(cloud: TestCloud, promised: readonly Promised[]): Promise<string[]> {
  const broken: string[] = [];
  for (const { id, name, isDeleted, numbers } of promised) {
    if (isDeleted || numbers.length === 0) continue;
    const found = await readNumbers(cloud, id).catch((error: unknown) => String(error));
    if (typeof found === 'string') {
      broken.push(`the numbers of ${name} cannot be read: ${found}`);
      continue;
    }
    const lost = numbers.filter((number) => !found.has(number));
    if (lost.length > 0)
      broken.push(`${name} lost ${lost.length} of ${numbers.length} acknowledged numbers: ${lost.slice(0, 5).join()}`);
  }
  return broken;
}

/** A broker that has just restarted may not serve clients yet. */
async function readNumbers(cloud: TestCloud, deployment: number): Promise<Set<number>> {
  const client = await eventually(
    'the broker lets a client in',
    () => openClient(cloud, deployment).catch(() => null),
    PATIENCE_MS,
  );
  return new Set((await client.readAll(TOPIC, ALL)).map(Number));
}
