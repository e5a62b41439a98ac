import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, DatabaseProxy, eventually, type TestDatabase } from '@libs/testing';
import { QueueApp } from '../test/queue-app.fixture.js';
import { queueConnection } from './bullmq-backend.js';

describe('A queue that PostgreSQL has refused at its first connection', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let app: QueueApp;
  beforeEach(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.start(database.url);
    proxy.become('53300');
    app = new QueueApp(queueConnection({ url: proxy.through(database.url) }), 'refused');
  });
  afterEach(async () => {
    await app.close();
    await proxy.stop();
    await database.drop();
  });

  it('tries again with pauses, and works when a connection is free', async () => {
    await eventually('all of its parts were refused', () => proxy.refusals > 6);
    const { refusals } = proxy;
    await delay(1_000);
    expect(proxy.refusals - refusals).toBeLessThan(40);
    expect(app.errors.length).toBeLessThan(60);

    proxy.become('open');
    await app.works();
  });

  it('closes at once during a pause, and asks no more', async () => {
    await eventually('it was refused', () => proxy.refusals > 3);

    await app.close();
    const { refusals } = proxy;
    await delay(1_000);

    expect(proxy.refusals).toBe(refusals);
  });
});
