import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, DatabaseProxy, type ProxyMode, type TestDatabase } from '@libs/testing';
import { QueueApp } from '../test/queue-app.fixture.js';
import { queueConnection } from './bullmq-backend.js';

const AWAY: readonly ProxyMode[] = ['53300', '57P03', '08006', 'cut', 'silent'];
const OUTAGE_MS = 10_000;
/** Each connection of a worker, a queue and a timer has pauses of its own, which grow to four seconds. */
const MOST_TRIES = 100;

describe('A queue whose database is away', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  describe.each([
    ['from the start', true],
    ['in the middle', false],
  ])('%s', (_when, isAwayFirst) => {
    it.each(AWAY)('(%s) asks with pauses, and works again within ten seconds of the database', async (mode) => {
      const proxy = await DatabaseProxy.start(database.url);
      if (isAwayFirst) proxy.become(mode);
      const app = new QueueApp(queueConnection({ url: proxy.through(database.url) }), `${mode}-${isAwayFirst}`);
      if (!isAwayFirst) await app.works();

      proxy.become(mode);
      const errors = app.errors.length;
      await delay(OUTAGE_MS);
      expect(proxy.refusals).toBeGreaterThan(0);
      expect(proxy.refusals).toBeLessThan(MOST_TRIES);
      expect(app.errors.length - errors).toBeLessThan(MOST_TRIES);

      proxy.become('open');
      await app.works();
      await app.close();
      await proxy.stop();
    });
  });
});
