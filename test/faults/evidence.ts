import { cp, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { FaultCloud } from './fault-cloud.js';

const TABLES = [
  ...['operations', 'operation_events', 'deployment_runtimes', 'nodes', 'incidents', 'outbox'],
  'private_connections',
  ...['notification_lanes', 'notification_deliveries'],
];
const isLog = (path: string): boolean => !/\.[a-z]+$/.test(path) || path.endsWith('.log') || path.endsWith('.json');

/** Saves what explains a broken cloud: its logs, the files of its nodes, the rows. Returns the folder. */
export async function keepEvidence(
  { cloud }: Pick<FaultCloud, 'cloud'>,
  seed: number,
  round: number | string,
): Promise<string> {
  const place = join(tmpdir(), `landlord-faults-seed-${seed}-round-${round}`);
  await mkdir(place, { recursive: true, mode: 0o700 });
  await cp(cloud.directory, place, {
    recursive: true,
    filter: (path) => isLog(path) && !['data', 'filler'].includes(basename(path)),
  });
  for (const table of TABLES) {
    const rows = await cloud.rows(`select * from ${table} order by 1`).catch((error: unknown) => String(error));
    await writeFile(join(place, `${table}.json`), JSON.stringify(rows, null, 2));
  }
  return place;
}
