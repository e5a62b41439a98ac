import { randomBytes } from 'node:crypto';
import type { Installation } from '@libs/persistence/migrations';
import { IGGY_SETTINGS, linkIggyLibraries } from '../iggy/iggy-server.js';
import { NATS_SERVER } from '../nats-server.js';
import type { OwnRedis } from '../redis/own-redis.js';
import { freePorts, nextPortRange } from './free-ports.js';

export type TestQueue = 'postgres' | 'redis' | 'off';

export interface CloudOptions {
  /** Settings of both apps that override the defaults. */
  env?: Record<string, string>;
  /** Uses a separate PostgreSQL, which the test can crash. */
  ownDatabase?: boolean;
  /** Existing directory for the data of the apps and their nodes. Default: a new one that is deleted at the end. */
  directory?: string;
  /** The wake-up queue of the workers. Default: LANDLORD_TEST_QUEUE, or PostgreSQL. */
  queue?: TestQueue;
}

export interface CloudSetup {
  directory: string;
  installation: Installation;
  queue: TestQueue;
  redis: OwnRedis | null;
  /** Overrides the defaults. */
  env: Record<string, string>;
}

/** The default wake-up queue of tests. */
export function queueOfTheRun(): TestQueue {
  return (process.env['LANDLORD_TEST_QUEUE'] as TestQueue | undefined) ?? 'postgres';
}

/** The environments of the apps of one cloud, with exclusive ports. */
export async function cloudSettings({ directory, installation, queue, redis, env }: CloudSetup) {
  const [mainPort = 0, supervisorPort = 0, gatewayPort = 0] = await freePorts(3);
  const shared = {
    MAIN_API_PORT: String(mainPort),
    LANDLORD_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LANDLORD_DATA_DIR: directory,
    LOG_LEVEL: 'debug',
    // Tests send more requests than people. The test of the limit sets it.
    RATE_LIMIT: 'off',
    // Independent of the installed brokers: tests choose their broker, or `npm run test:brokers` does.
    ...brokerOf(process.env['LANDLORD_TEST_BROKER']),
    ...(queue === 'off' && { QUEUE_URL: 'off' }),
    ...(redis && { QUEUE_URL: redis.url }),
    ...env,
  };
  if ('IGGY_SERVER_BIN' in shared) await linkIggyLibraries(directory);
  const mainApiEnv = { ...shared, DATABASE_URL: installation.role_urls.main_api };
  const supervisorEnv = {
    ...shared,
    DATABASE_URL: installation.role_urls.supervisor,
    SUPERVISOR_PORT: String(supervisorPort),
    GATEWAY_PORT: String(gatewayPort),
    LOCAL_PORT_RANGE: nextPortRange(),
  };
  return { mainApiEnv, supervisorEnv };
}

function brokerOf(driver: string | undefined): Record<string, string> {
  if (driver === 'nats') return { LOCAL_BROKER: 'nats', NATS_SERVER_BIN: NATS_SERVER ?? '' };
  return driver === 'iggy' ? IGGY_SETTINGS : { LOCAL_BROKER: 'embedded' };
}
