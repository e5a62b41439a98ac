import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from './row.js';
import type { World } from './world.js';

const deployment = async (world: World) => ({ deployment_id: await world.deployment() });

/** A complete snapshot in rows and files only: no node collects it. */
const snapshot = async (world: World) => {
  const { deployment_id } = await deployment(world);
  const taken = await world.cloud.runtime().post(`/deployments/${deployment_id}/snapshots`, {});
  const snapshot_id = Number(taken.headers.get('ld-snapshot'));
  await world.cloud.rows(
    `update operations set status = 'cancelled', finished_at = now() where deployment_id = $1 and type = 'take_snapshot'`,
    [deployment_id],
  );
  await world.cloud.rows(`update diagnostic_snapshots set status = 'completed' where id = $1`, [snapshot_id]);
  const place = join(
    world.cloud.directory,
    'objects/deployments',
    String(deployment_id),
    'snapshots',
    `${snapshot_id}`,
  );
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'snapshot.zip'), 'an archive');
  return { deployment_id, snapshot_id };
};

const link = async (world: World) => {
  const { deployment_id, snapshot_id } = await snapshot(world);
  const path = `/deployments/${deployment_id}/snapshots/${snapshot_id}/download`;
  const { url } = (await world.cloud.runtime().get(path)).body as { url: string };
  return { token: url.split('/').at(-1) ?? '' };
};

const S = '/deployments/:deployment_id/snapshots';

/** Routes of diagnostic snapshots. */
export const SNAPSHOT_ROWS: Record<string, Row> = {
  [`supervisor: GET ${S}`]: { status: 200, path: deployment },
  [`supervisor: POST ${S}`]: { status: 204, path: deployment },
  [`supervisor: GET ${S}/:snapshot_id/download`]: { status: 200, path: snapshot },
  [`supervisor: DELETE ${S}/:snapshot_id`]: { status: 204, path: snapshot },
  'supervisor: GET /downloads/:token': { status: 200, path: link },
};
