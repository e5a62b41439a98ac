import { createPostgresBackend, runMigrations, setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import type { Client } from 'pg';

/** The location of the queue: the same PostgreSQL as the rows, or Redis. */
export interface QueueOptions {
  /** `QUEUE_URL` (redis://…, rediss://…), or the address of PostgreSQL, or `off`. */
  url: string;
}

const SCHEMA = 'bullmq';
const POOL_SIZE = 4;

export const isOff = (options: QueueOptions): boolean => options.url === 'off';

/**
 * The only file that depends on BullMQ's backend. Selects the backend for the whole process and returns the connection
 * for queues and workers. @nestjs/bullmq has no option for the backend, so it is set before any instance is created.
 */
export function queueConnection(options: QueueOptions): ConnectionOptions {
  if (options.url.startsWith('redis')) return { url: options.url, maxRetriesPerRequest: null };
  setDefaultBackendFactory(createPostgresBackend);
  return { connectionString: options.url, schema: SCHEMA, max: POOL_SIZE };
}

/** Migrates BullMQ's own tables to this release. Idempotent; BullMQ's advisory lock serializes concurrent calls. */
export async function migrateQueue(client: Client): Promise<void> {
  await runMigrations(client);
}
