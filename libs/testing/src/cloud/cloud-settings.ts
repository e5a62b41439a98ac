import { randomBytes } from 'node:crypto';
import type { Installation } from '@libs/persistence/migrations';
import { NATS_SERVER } from '../nats-server.js';
import type { OwnRedis } from '../redis/own-redis.js';
import { freePorts, nextPortRange } from './free-ports.js';

export type TestQueue = 'postgres' | 'redis' | 'off';

export interface CloudOptions {
  /** Settings of both apps, over the defaults. */
  env?: Record<string, string>;
  /** A PostgreSQL of its own, to be crashed. */
  ownDatabase?: boolean;
  /** Existing directory for the data of the apps and their nodes. Default: one of its own, removed at the end. */
  directory?: string;
  /** What rings the workers. Default: LANDLORD_TEST_QUEUE, or PostgreSQL. */
  queue?: TestQueue;
}

export interface CloudPlace {
  directory: string;
  installation: Installation;
  queue: TestQueue;
  redis: OwnRedis | null;
  /** Over the defaults. */
  env: Record<string, string>;
}

/** What rings the workers where a story does not say. */
export function queueOfTheRun(): TestQueue {
  return (process.env['LANDLORD_TEST_QUEUE'] as TestQueue | undefined) ?? 'postgres';
}

/** The environments of the apps of one cloud, with ports that nobody else has. */
export async function cloudSettings({ directory, installation, queue, redis, env }: CloudPlace) {
  const [mainPort = 0, supervisorPort = 0, gatewayPort = 0] = await freePorts(3);
  const shared = {
    LANDLORD_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LANDLORD_DATA_DIR: directory,
    LOG_LEVEL: 'debug',
    // Stories ask more often than people; the one about the limit sets it.
    RATE_LIMIT: 'off',
    // Whatever is installed here: stories say which broker they are about, or `npm run test:brokers` does.
    ...brokerOf(process.env['LANDLORD_TEST_BROKER']),
    ...(queue === 'off' && { QUEUE_URL: 'off' }),
    ...(redis && { QUEUE_URL: redis.url }),
    ...env,
  };
  const mainApiEnv = { ...shared, DATABASE_URL: installation.role_urls.main_api, MAIN_API_PORT: String(mainPort) };
  const supervisorEnv = {
    ...shared,
    DATABASE_URL: installation.role_urls.supervisor,
    SUPERVISOR_PORT: String(supervisorPort),
    GATEWAY_PORT: String(gatewayPort),
    LOCAL_PORT_RANGE: nextPortRange(),
  };
  return { mainApiEnv, supervisorEnv };
}

const brokerOf = (driver: string | undefined): Record<string, string> =>
  driver === 'nats' ? { LOCAL_BROKER: 'nats', NATS_SERVER_BIN: NATS_SERVER ?? '' } : { LOCAL_BROKER: 'embedded' };
