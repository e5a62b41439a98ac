import { createTestDatabase, eventually, type TestDatabase } from '@libs/testing';
import { Queue } from 'bullmq';
import { queueConnection } from './bullmq-backend.js';
import { BullmqWakeUpQueue } from './bullmq-wake-up-queue.js';
import type { WakeUpJob } from './wake-up-queue.js';

describe('Wake-ups with a queue in PostgreSQL', () => {
  let database: TestDatabase;
  let wakeUps: BullmqWakeUpQueue;
  const failures: unknown[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    wakeUps = new BullmqWakeUpQueue(queueConnection({ url: database.url }), (error) => failures.push(error));
  });
  afterAll(async () => {
    await wakeUps.close();
    await database.drop();
  });
  beforeEach(() => failures.splice(0));

  const untilDepth = (queue: string, count: number): Promise<unknown> =>
    eventually(`${count} wake-ups wait in ${queue}`, async () => (await wakeUps.depth(queue)) === count);

  it('arrive after any delay, also with a fraction of a millisecond', async () => {
    wakeUps.wakeUp('retried', 1, 173.2356);
    wakeUps.wakeUp('retried', 2, 0.25);
    await untilDepth('retried', 2);

    expect(failures).toEqual([]);
  });

  it('share a job without a delay, each operation once, at most ten to a job', async () => {
    for (const id of [...Array.from({ length: 24 }, (_, at) => at + 1), 3, 7]) wakeUps.wakeUp('shared', id);
    wakeUps.wakeUp('shared', 99, 60_000);
    await untilDepth('shared', 4);

    const jobs = await new Queue('shared', { connection: queueConnection({ url: database.url }) }).getJobs();
    const ids = jobs.map(({ data }) => (data as WakeUpJob).ids).sort(([a = 0], [b = 0]) => a - b);
    expect(ids.map((some) => some.length)).toEqual([10, 10, 4, 1]);
    expect(ids.flat()).toEqual([...Array.from({ length: 24 }, (_, at) => at + 1), 99]);
  });

  it('are not lost when another wake-up of the same moment fails', async () => {
    wakeUps.wakeUp('mixed', 1);
    wakeUps.wakeUp('mixed', 2, 1e30);
    wakeUps.wakeUp('mixed', 3, 50);
    await untilDepth('mixed', 2);

    expect(failures).not.toEqual([]);
    wakeUps.wakeUp('mixed', 4);
    await untilDepth('mixed', 3);
  });
});
