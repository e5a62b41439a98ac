import { createTestDatabase, eventually, type TestDatabase } from '@libs/testing';
import { queueConnection } from './bullmq-backend.js';
import { BullmqDoorbell } from './bullmq-doorbell.js';

describe('The doorbell with its queue in PostgreSQL', () => {
  let database: TestDatabase;
  let doorbell: BullmqDoorbell;
  const failures: unknown[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    doorbell = new BullmqDoorbell(queueConnection({ url: database.url }), (error) => failures.push(error));
  });
  afterAll(async () => {
    await doorbell.close();
    await database.drop();
  });
  beforeEach(() => failures.splice(0));

  const rung = (queue: string, count: number): Promise<unknown> =>
    eventually(`${count} rings wait in ${queue}`, async () => (await doorbell.depth(queue)) === count);

  it('rings after any time, also a part of a millisecond', async () => {
    doorbell.ring('retried', 1, 173.2356);
    doorbell.ring('retried', 2, 0.25);
    await rung('retried', 2);

    expect(failures).toEqual([]);
  });

  it('loses no other ring of the same moment with one that fails', async () => {
    doorbell.ring('mixed', 1);
    doorbell.ring('mixed', 2, 1e30);
    doorbell.ring('mixed', 3, 50);
    await rung('mixed', 2);

    expect(failures).not.toEqual([]);
    doorbell.ring('mixed', 4);
    await rung('mixed', 3);
  });
});
