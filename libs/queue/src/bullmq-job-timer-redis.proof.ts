import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithRedis, OwnRedis } from '@libs/testing';
import { wakesOneProcess } from '../test/job-timer.fixture.js';

describeWithRedis('A schedule with a queue in Redis', () =>
  wakesOneProcess(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'landlord-redis-'));
    const redis = await OwnRedis.start(directory);
    const stop = async (): Promise<void> => {
      await redis.stop();
      await rm(directory, { recursive: true, force: true });
    };
    return { url: redis.url, stop };
  }),
);
