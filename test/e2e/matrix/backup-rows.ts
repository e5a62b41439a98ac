import type { Row } from './row.js';
import type { World } from './world.js';

const deployment = async (world: World) => ({ deployment_id: await world.deployment() });
const servingDeployment = async (world: World) => ({ deployment_id: await world.servingDeployment() });

/** A complete backup in the rows only: no node takes it. */
const backup = async (world: World) => {
  const { deployment_id } = await servingDeployment(world);
  const taken = await world.cloud.runtime().post(`/deployments/${deployment_id}/backups`, { name: world.name() });
  const backup_id = Number(taken.headers.get('ld-backup'));
  await world.cloud.rows(`update operations set status = 'succeeded', finished_at = now() where deployment_id = $1`, [
    deployment_id,
  ]);
  await world.cloud.rows(`update backups set status = 'completed' where id = $1`, [backup_id]);
  await world.cloud.rows(
    `insert into backup_snapshots (backup_id, node_id, snapshot_id, volume_id, object_key, sha256, size_bytes)
     select $1, id, 's', 'v', 'k', repeat('0', 64), 1 from nodes where deployment_id = $2`,
    [backup_id, deployment_id],
  );
  return { deployment_id, backup_id };
};

const SCHEDULE = { every_hours: 24, keep: 1 };

/** A deployment whose backups have a schedule. */
const scheduled = async (world: World) => {
  const { deployment_id } = await servingDeployment(world);
  await world.cloud.runtime().put(`/deployments/${deployment_id}/backups/schedule`, SCHEDULE);
  return { deployment_id };
};

const B = '/deployments/:deployment_id/backups';

/** Routes of backups. */
export const BACKUP_ROWS: Record<string, Row> = {
  [`supervisor: GET ${B}`]: { status: 200, path: deployment },
  [`supervisor: POST ${B}`]: { status: 204, path: servingDeployment, body: (world) => ({ name: world.name() }) },
  [`supervisor: POST ${B}/:backup_id/restore`]: { status: 204, path: backup },
  [`supervisor: GET ${B}/schedule`]: { status: 200, path: scheduled },
  [`supervisor: PUT ${B}/schedule`]: {
    status: 200,
    path: scheduled,
    body: () => ({ every_hours: 12, keep: 1 }),
    needed: ['/every_hours'],
  },
  [`supervisor: DELETE ${B}/schedule`]: { status: 204, path: scheduled },
  [`supervisor: DELETE ${B}/:backup_id`]: { status: 204, path: backup },
};
