import { createPostgresBackend, runMigrations, setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import type { Client } from 'pg';

/** Where the queue lives; the same PostgreSQL as the rows, or Redis. */
export interface QueueOptions {
  /** `QUEUE_URL` (redis://…, rediss://…), or the address of PostgreSQL, or `off`. */
  url: string;
}

const SCHEMA = 'bullmq';
const POOL_SIZE = 4;

export const isOff = (options: QueueOptions): boolean => options.url === 'off';

/**
 * The one place that knows BullMQ's backend. Chooses it for the whole process and answers the connection that queues
 * and workers take. @nestjs/bullmq has no option for the backend, so it is set before anything is instantiated.
 */
export function queueConnection(options: QueueOptions): ConnectionOptions {
  if (options.url.startsWith('redis')) return { url: options.url, maxRetriesPerRequest: null };
  setDefaultBackendFactory(createPostgresBackend);
  return { connectionString: options.url, schema: SCHEMA, max: POOL_SIZE };
}

/** Brings BullMQ's own tables to this release; idempotent, serialized by BullMQ's advisory lock. */
export async function migrateQueue(client: Client): Promise<void> {
  await runMigrations(client);
}
