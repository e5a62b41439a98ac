import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BUILT_IN_VERSION } from '@libs/broker-config';
import { BROKER_OF_THE_RUN, eventually, PROCESSES_OF_NODE, type TestCloud } from '@libs/testing';
import type { FaultCloud } from './fault-cloud.js';
import { connectorsKept } from './stories/connector-stories.js';
import { restoresExact } from './stories/backup-stories.js';
import { privateConnectionsKept } from './private-connections-kept.js';
import { readKeptMessage } from './kept-message.js';
import { numbersKept } from './numbered-messages.js';
import type { Promised } from './promised.js';

const QUIET_WITHIN_MS = 120_000;

const TOLD_ONCE = [
  ...['deployment_created', 'deployment_initialized', 'deployment_upgraded', 'deployment_secrets_rotated'],
  'deployment_deleted',
];

/** The cloud did not keep a promise after faults. */
export class InvariantBroken extends Error {}

/** Waits until no work is in progress: a healed cloud comes to rest automatically. Throws with the remaining work. */
export async function comesToRest({ cloud }: FaultCloud): Promise<void> {
  let restless: string[] = [];
  await eventually(
    'the cloud is at rest',
    async () => (restless = await findRestless(cloud)).length === 0,
    QUIET_WITHIN_MS,
  ).catch(() => {
    throw new InvariantBroken(`does not come to rest: ${restless.join('; ')}`);
  });
}

/** All violations of a cloud at rest; empty if it keeps all its promises. */
export async function findBroken({ cloud }: FaultCloud, promised: readonly Promised[]): Promise<string[]> {
  const checks = [
    ...[promisesKept, nothingTwice, nothingLeftOver, messagesKept, numbersKept],
    ...[toldExactlyOnce, chargedOnce, spellsPaired, restoresExact, storedForSomebody, connectorsKept, connectionsKept],
  ];
  return (await Promise.all(checks.map((check) => check(cloud, promised)))).flat();
}

async function findRestless(cloud: TestCloud): Promise<string[]> {
  const rows = await cloud.rows<{ what: string }>(
    `select 'operation ' || id || ' ' || type || ' is in ' || step || coalesce(': ' || coalesce(last_error, reason), '') as what
       from operations where status in ('pending', 'running')
     union all
     select 'deployment ' || deployment_id || ' is ' || status || coalesce(': ' || status_reason, '') from deployment_runtimes
      where deleted_at is null and status <> 'initialized'
     union all
     select 'node ' || n.id || ' is ' || n.status || ' at ' || n.observed_generation || ' of ' || d.generation from nodes n
       join node_documents d on d.node_id = n.id
      where n.status <> 'running' or n.unreachable_since is not null or d.generation <> n.observed_generation
         or n.last_seen_at < now() - interval '6 seconds'
     union all
     select 'backup ' || id || ' is ' || status from backups where status not in ('completed', 'failed')
     union all
     select 'snapshot ' || id || ' is ' || status from diagnostic_snapshots where status <> 'completed'
     union all
     select 'order ' || id || ' of node ' || node_id || ' is ' || status from node_orders
     union all
     select 'connector ' || id || ' is ' || status || coalesce(': ' || status_reason, '') from connector_instances
      where status in ('pending', 'failed')
     union all
     select 'private connection ' || id || ' is ' || status || coalesce(': ' || reason, '') from private_connections
      where deleted_at is null and (deleting_at is not null or status in ('initiating_request', 'pending', 'failed'))
     union all
     select 'node ' || id || ' is held' from nodes where held_at is not null
     union all
     select 'activity ' || id || ' is processing' from activities where status = 'processing'
     union all
     select 'upgrade ' || id || ' is not settled' from deployment_upgrades where status = 'pending'
     union all
     select 'incident ' || kind || ' ' || subject || ' is open' from incidents where closed_at is null`,
  );
  const processes = await cloud.nodeProcesses();
  const [{ nodes }] = (await cloud.rows<{ nodes: number }>('select count(*)::int as nodes from nodes')) as [
    { nodes: number },
  ];
  const [{ runners, libraries }] = (await cloud.rows<{ runners: number; libraries: number }>(
    `select count(distinct deployment_id)::int as runners,
            (count(distinct deployment_id) filter (where plugin_version <> $1))::int as libraries
       from connector_instances`,
    [BUILT_IN_VERSION],
  )) as [{ runners: number; libraries: number }];
  // Only iggy has a process of its own for plugins with a library.
  const wanted = PROCESSES_OF_NODE.length * nodes + runners + (BROKER_OF_THE_RUN === 'iggy' ? libraries : 0);
  const balance = processes.length === wanted ? [] : [`${processes.length} processes for ${wanted}`];
  return [...rows.map(({ what }) => what), ...balance];
}

/** Everything with a 2xx answer exists, and everything accepted for deletion is deleted. */
async function promisesKept(cloud: TestCloud, promised: readonly Promised[]): Promise<string[]> {
  const broken: string[] = [];
  for (const { id, name, isDeleted, storage } of promised.filter(
    ({ isDeleted }, index) => !isDeleted || index >= promised.length - 5,
  )) {
    const { status } = await cloud.main().get(`${cloud.environment}/deployments/${id}`);
    const sizes = await sizesOf(cloud, id);
    if (!isDeleted && sizes.some((size) => size !== storage))
      broken.push(`${name} has ${String(sizes)} GB, not ${storage}`);
    if (status !== (isDeleted ? 404 : 200)) broken.push(`${name} answers ${status}, deleted: ${isDeleted}`);
  }
  return broken;
}

/** Requested GB of the deployment, and GB of each of its nodes. */
async function sizesOf(cloud: TestCloud, id: number): Promise<number[]> {
  const rows = await cloud.rows<{ size: number }>(
    `select storage_size as size from deployments where id = $1
     union all select storage_size from nodes where deployment_id = $1`,
    [id],
  );
  return rows.map(({ size }) => size);
}

/** A message that the broker has acknowledged survives every kill of the broker. */
async function messagesKept(cloud: TestCloud, promised: readonly Promised[]): Promise<string[]> {
  const broken: string[] = [];
  for (const { id, name, isDeleted, hasMessage } of promised) {
    if (isDeleted || !hasMessage) continue;
    const message = await readKeptMessage(cloud, id).catch((error: unknown) => String(error));
    if (message !== name) broken.push(`the message of ${name} reads ${message}`);
  }
  return broken;
}

async function nothingTwice(cloud: TestCloud, promised: readonly Promised[]): Promise<string[]> {
  const doubled = await cloud.rows<{ name: string }>('select name from deployments group by name having count(*) > 1');
  const [{ made }] = (await cloud.rows<{ made: number }>('select count(*)::int as made from deployments')) as [
    { made: number },
  ];
  return [
    ...doubled.map(({ name }) => `${name} was made twice`),
    ...(made === promised.length ? [] : [`${made} deployments for ${promised.length} promises`]),
  ];
}

/** Each row, port, directory and record of the provider has an owner. */
async function nothingLeftOver(cloud: TestCloud): Promise<string[]> {
  const nodes = (await cloud.rows<{ id: string }>('select id from nodes order by id')).map(({ id }) => String(id));
  const directories = (await readdir(join(cloud.directory, 'nodes')).catch(() => [])).sort(
    (a, b) => Number(a) - Number(b),
  );
  const living = (
    await cloud.rows<{ id: string }>('select deployment_id as id from deployment_runtimes where deleted_at is null')
  ).map(({ id }) => String(id));
  const owners = await recordOwners(cloud);
  const orphans = await cloud.rows<{ what: string }>(
    `select 'port ' || port as what from node_ports p where not exists (select from nodes n where n.id = p.node_id)
     union all select 'credentials of ' || deployment_id from deployment_credentials c
      where exists (select from deployment_runtimes r where r.deployment_id = c.deployment_id and r.deleted_at is not null)
     union all select 'node ' || n.id from nodes n
      where exists (select from deployment_runtimes r where r.deployment_id = n.deployment_id and r.deleted_at is not null)`,
  );
  return [
    ...orphans.map(({ what }) => `orphan: ${what}`),
    ...(String(directories) === String(nodes) ? [] : [`directories ${String(directories)} for nodes ${String(nodes)}`]),
    ...[...new Set(owners)].filter((id) => !living.includes(id)).map((id) => `resources of deployment ${id} are left`),
  ];
}

/** Each directory in the object store belongs to a completed backup or snapshot of an existing deployment. */
async function storedForSomebody(cloud: TestCloud): Promise<string[]> {
  const root = join(cloud.directory, 'objects', 'deployments');
  const below = (path: string): Promise<string[]> => readdir(join(root, path)).catch(() => []);
  const found = await Promise.all(
    (await below('')).flatMap((id) =>
      ['backups', 'snapshots'].map(async (kind) =>
        (await below(`${id}/${kind}`)).map((name) => `${id}/${kind}/${name}`),
      ),
    ),
  );
  const rows = await cloud.rows<{ place: string }>(
    `select deployment_id || '/backups/' || id as place from backups where status = 'completed'
     union all select deployment_id || '/snapshots/' || id from diagnostic_snapshots where status = 'completed'`,
  );
  const known = rows.map(({ place }) => place);
  return found
    .flat()
    .filter((place) => !known.includes(place))
    .map((place) => `the object store holds ${place}, which nobody knows`);
}

const connectionsKept = async (cloud: TestCloud, promised: readonly Promised[]): Promise<string[]> =>
  privateConnectionsKept(cloud, promised, await recordNames(cloud));

const recordNames = async (cloud: TestCloud): Promise<string[]> =>
  (await recordFiles(cloud)).map((file) => decodeURIComponent(basename(file)));

/** The deployment of each record: its name contains the deployment, except for names of DNS. */
async function recordOwners(cloud: TestCloud): Promise<string[]> {
  const owners = (await recordFiles(cloud)).map(async (file) => {
    const named = /^ld-.+?-(\d+)-[a-z]/.exec(basename(file))?.[1];
    if (named !== undefined) return named;
    const content = await readFile(file, 'utf8').catch(() => null);
    const { tags } = JSON.parse(content ?? '{}') as { tags?: { deployment_id?: number } };
    return content === null ? [] : [String(tags?.deployment_id ?? file)];
  });
  return (await Promise.all(owners)).flat();
}

async function recordFiles(cloud: TestCloud): Promise<string[]> {
  const folder = join(cloud.directory, 'local-cloud');
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  return files.filter((file) => file.endsWith('.json')).map((file) => join(folder, file));
}

/** Audit and outbox contain each event once per occurrence. */
async function toldExactlyOnce(cloud: TestCloud, promised: readonly Promised[]): Promise<string[]> {
  const wanted = new Map<string, number>();
  for (const { id, isDeleted, isInitialized, upgrades, rotations } of promised) {
    wanted.set(`deployment_created ${id}`, 1);
    if (isInitialized) wanted.set(`deployment_initialized ${id}`, 1);
    if (isDeleted) wanted.set(`deployment_deleted ${id}`, 1);
    if (upgrades > 0) wanted.set(`deployment_upgraded ${id}`, upgrades);
    if (rotations > 0) wanted.set(`deployment_secrets_rotated ${id}`, rotations);
  }
  const broken: string[] = [];
  for (const table of ['audit_entries', 'outbox']) {
    const rows = await cloud.rows<{ what: string; count: number }>(
      `select type || ' ' || deployment_id as what, count(*)::int as count from ${table}
        where type = any($1) group by 1`,
      [TOLD_ONCE],
    );
    const reported = new Map(rows.map(({ what, count }) => [what, count]));
    for (const what of new Set([...wanted.keys(), ...reported.keys()])) {
      const [times, expected] = [reported.get(what) ?? 0, wanted.get(what) ?? 0];
      if (times !== expected) broken.push(`${table}: ${what} was recorded ${times} times, not ${expected}`);
    }
  }
  return broken;
}

/** One interval starts when a deployment is ready and one with each upgrade; one row ends the charges. */
async function chargedOnce(cloud: TestCloud, promised: readonly Promised[]): Promise<string[]> {
  const charged = await cloud.rows<{ id: string; begun: number; ended: number }>(
    `select deployment_id as id, count(shape)::int as begun, (count(*) - count(shape))::int as ended
       from metering_intervals group by deployment_id`,
  );
  const of = (id: string): Promised | undefined => promised.find((one) => String(one.id) === String(id));
  return charged
    .filter(({ id, begun, ended }) => begun !== 1 + (of(id)?.upgrades ?? 0) || ended !== Number(of(id)?.isDeleted))
    .map(({ id, begun, ended }) => `deployment ${id} is charged ${begun}/${ended} times`);
}

/** Each outage of a node was reported at its start and at its end. */
async function spellsPaired(cloud: TestCloud): Promise<string[]> {
  const spells = await cloud.rows<{ node: string; lost: number; found: number }>(
    `select data ->> 'node_id' as node, count(*) filter (where type = 'node_unreachable')::int as lost,
            count(*) filter (where type = 'node_reachable')::int as found
       from outbox where type like 'node_%reachable' and data ->> 'node_id' in (select id::text from nodes) group by 1`,
  );
  return spells
    .filter(({ lost, found }) => lost !== found)
    .map(({ node, lost, found }) => `node ${node}: ${lost} lost, ${found} found`);
}
