import {
  createPostgresBackend,
  getDefaultBackendFactory,
  setDefaultBackendFactory,
  type BackendFactory,
  type ConnectionOptions,
} from 'bullmq';
import pg from 'pg';
import { forgetFailure, lasting, type KeptReadiness } from './lasting-backend.js';

/** The location of the queue: the same PostgreSQL as the rows, or Redis. */
export interface QueueOptions {
  /** `QUEUE_URL` (redis://…, rediss://…), or the address of PostgreSQL, or `off`. */
  url: string;
}

const SCHEMA = 'bullmq';
const POOL_SIZE = 4;
/** A server that accepts a connection and never answers counts as away. */
const CONNECT_MS = 5_000;
/** A statement of the queue takes milliseconds. The wait for a job is no statement. */
const STATEMENT_MS = 15_000;
/** Redis is tried again after at most this time. BullMQ's own pauses grow to 20 s. */
const LONGEST_RECONNECT_MS = 4_000;

/**
 * Options of each worker. A job is announced, so an empty queue needs no frequent look: `drainDelay` is the longest wait in seconds, and 10
 * is the most that BullMQ waits with Redis. Finished jobs are not kept.
 */
export const WORKER = { drainDelay: 10, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } } as const;

export const isOff = (options: QueueOptions): boolean => options.url === 'off';

/**
 * The only file that depends on BullMQ's backend. Selects the backend for the whole process and returns the connection
 * for queues and workers. @nestjs/bullmq has no option for the backend, so it is set before any instance is created.
 */
export function queueConnection(options: QueueOptions): ConnectionOptions {
  const isRedis = options.url.startsWith('redis');
  setDefaultBackendFactory(isRedis ? redisBackend : guardedBackend);
  if (isRedis) return { url: options.url, maxRetriesPerRequest: null, retryStrategy: reconnectPause };
  const patience = { connectionTimeoutMillis: CONNECT_MS, query_timeout: STATEMENT_MS };
  return { connectionString: options.url, schema: SCHEMA, max: POOL_SIZE, Client: GuardedClient, ...patience };
}

const reconnectPause = (tries: number): number => Math.min(250 * 2 ** tries, LONGEST_RECONNECT_MS);

/** BullMQ's default, before `queueConnection` sets another one. */
const redisBackend = lasting(getDefaultBackendFactory());

/**
 * A client whose end never ends the process. BullMQ adds its own listener only after a client has connected, and PostgreSQL can end
 * a connection in the same packet in which it accepts the connection: an error without a listener would end the process.
 */
class GuardedClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** The backend of BullMQ, whose client for LISTEN is guarded too. The options reach only the clients of its pool. */
export const guardedBackend: BackendFactory = lasting((...given) => {
  const backend = (createPostgresBackend as BackendFactory)(...given);
  const { connection } = backend as unknown as { connection: KeptReadiness & { pgModule: object } };
  connection.pgModule = { ...connection.pgModule, Client: GuardedClient };
  forgetFailure(connection);
  forgetFailure(backend);
  return backend;
});
