import { runMigrations } from 'bullmq';
import type pg from 'pg';

/** Migrates BullMQ's own tables to this release. Idempotent; BullMQ's advisory lock serializes concurrent calls. */
export async function migrateQueue(client: pg.Client): Promise<void> {
  await runMigrations(client);
}
