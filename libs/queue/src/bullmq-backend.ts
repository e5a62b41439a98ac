import { createPostgresBackend, setDefaultBackendFactory, type BackendFactory, type ConnectionOptions } from 'bullmq';
import pg from 'pg';

/** The location of the queue: the same PostgreSQL as the rows, or Redis. */
export interface QueueOptions {
  /** `QUEUE_URL` (redis://…, rediss://…), or the address of PostgreSQL, or `off`. */
  url: string;
}

const SCHEMA = 'bullmq';
const POOL_SIZE = 4;

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
  if (options.url.startsWith('redis')) return { url: options.url, maxRetriesPerRequest: null };
  setDefaultBackendFactory(guardedBackend);
  return { connectionString: options.url, schema: SCHEMA, max: POOL_SIZE, Client: GuardedClient };
}

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
export const guardedBackend: BackendFactory = (...given) => {
  const backend = (createPostgresBackend as BackendFactory)(...given);
  const { connection } = backend as unknown as { connection: { pgModule: object } };
  connection.pgModule = { ...connection.pgModule, Client: GuardedClient };
  return backend;
};
