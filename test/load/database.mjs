// What the story reads from the database: whether the work of the queue has ended.
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 180_000;
const LOOK_AGAIN_MS = 500;
const ENDED = `('succeeded', 'failed', 'cancelled')`;

/** Waits until all deployments are initialized. */
export async function deploymentsReady(sql) {
  const left = await untilZero(sql, `select count(*)::int as n from deployment_runtimes where status <> 'initialized'`);
  if (left > 0) throw new Error(`${left} deployments are not initialized after ${PATIENCE_MS / 1000} s`);
}

/** Waits until all operations have ended. Returns how they ended, and the number of deployments. */
export async function operationsEnded(sql) {
  const unfinished = await untilZero(sql, `select count(*)::int as n from operations where status not in ${ENDED}`);
  const { rows } = await sql.query(
    `select count(*) filter (where status = 'succeeded')::int as succeeded, count(*) filter (where status = 'failed')::int as failed,
            (select count(*)::int from deployment_runtimes where deleted_at is null) as deployments from operations`,
  );
  return { ...rows[0], unfinished };
}

async function untilZero(sql, query) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await sql.query(query);
    if (rows[0].n === 0 || performance.now() > deadline) return rows[0].n;
    await delay(LOOK_AGAIN_MS);
  }
}
