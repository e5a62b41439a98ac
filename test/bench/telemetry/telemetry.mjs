// Stores the telemetry of nodes through the repositories of the gateway: a simulated day of heartbeats and metrics, and
// batches of log lines. Measures the time per row and the disk space per node.
import { DataSource } from 'typeorm';
import { AGENT_VERSION } from '../../../dist/libs/host/src/node/agent-version.js';
import { Database, dataSourceOptions } from '../../../dist/libs/persistence/src/index.js';
import { NodeLogsRepository, TelemetrySamplesRepository } from '../../../dist/libs/persistence/src/runtime/index.js';
import { round, stealShare, summary } from '../measure.mjs';

const NODES = 200;
const MINUTES = 1_440;
const DAY_MS = 86_400_000;
const LINES_OF_A_BATCH = 499;
const LINE = 'client n17-1763683200023 connected from 10.12.0.7 protocol=mqtt session=kept';

export async function benchTelemetry(world) {
  const steal = stealShare().now;
  await fill(world.sql);
  const options = { databaseUrl: world.url, secretKeys: `k1:${Buffer.alloc(32).toString('base64')}`, poolSize: 2 };
  const source = await new DataSource(dataSourceOptions({ ...options, applicationName: 'bench' })).initialize();
  try {
    const database = new Database(source);
    const samples = await benchSamples(world.sql, database);
    const lines = await benchLines(world.sql, database);
    const { share } = stealShare(steal);
    const plain = (name, value) => ({ name, ...summary([value]), q1: undefined, target: '', verdict: '' });
    return {
      rows: [
        plain('telemetry: samples written/s, two writes a node and minute', samples.perSecond),
        plain('telemetry: bytes a node and day, heartbeats', samples.heartbeatBytes),
        plain('telemetry: bytes a node and day, raw metrics', samples.metricBytes),
        plain('telemetry: log lines stored/s', lines.perSecond),
        plain('telemetry: bytes a log line', lines.bytes),
      ],
      steal_share: round(share, 4),
    };
  } finally {
    await source.destroy();
  }
}

/** The samples of yesterday, minute by minute: the first report of each node separately, the other five together. */
async function benchSamples(sql, database) {
  const samples = new TelemetrySamplesRepository(database);
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  const begun = performance.now();
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const at = new Date(midnight + minute * 60_000);
    for (const beats of [1, 5])
      await samples.record(Array.from({ length: NODES }, (_, index) => sample(index, at, beats)));
  }
  const seconds = (performance.now() - begun) / 1000;
  return {
    perSecond: (NODES * MINUTES * 2) / seconds,
    heartbeatBytes: (await bytesOf(sql, 'node_heartbeats')) / NODES,
    metricBytes: (await bytesOf(sql, 'node_metrics')) / NODES,
  };
}

function sample(index, at, beats) {
  const metrics = { cpu_percent: index + beats, memory_bytes: 1e8 + index, disk_bytes: 1e9, clients: index, topics: 7 };
  return {
    ...{ deploymentId: 1, nodeId: index + 1, minute: at.toISOString(), beats, lastAt: at },
    ...{
      status: 'running',
      agentVersion: AGENT_VERSION,
      runtime: 'broker',
      metrics: { ...metrics, bytes_in: 1e9, bytes_out: 1e9 },
    },
  };
}

async function benchLines(sql, database) {
  const logs = new NodeLogsRepository(database);
  const [flushes, batches] = [40, 20];
  const line = (n) => ({ runtime: 'broker', level: n % 50 ? 'info' : 'warn', at: Date.now(), message: `${LINE} ${n}` });
  const lines = Array.from({ length: LINES_OF_A_BATCH }, (_, n) => line(n));
  const begun = performance.now();
  for (let flush = 0; flush < flushes; flush += 1) {
    const batch = (index) => ({ nodeId: index + 1, after: flush ? `c${flush - 1}` : null, cursor: `c${flush}`, lines });
    await database.transaction(() => logs.store(Array.from({ length: batches }, (_, index) => batch(index))));
  }
  const seconds = (performance.now() - begun) / 1000;
  const stored = flushes * batches * LINES_OF_A_BATCH;
  const { rows } = await sql.query('select count(*)::int as count from node_logs');
  if (rows[0].count !== stored) throw new Error(`${rows[0].count} of ${stored} lines were stored`);
  return { perSecond: stored / seconds, bytes: (await bytesOf(sql, 'node_logs')) / stored };
}

/** Bytes of all partitions with their indexes. */
async function bytesOf(sql, table) {
  const { rows } = await sql.query(
    'select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree($1) where isleaf',
    [table],
  );
  return rows[0].bytes;
}

async function fill(sql) {
  await sql.query(
    `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
       storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
       monthly_compute, monthly_storage, pricing_version)
     values (1, 1, 1, 'bench', 'bench222', 'managed', 'aws', 'us', 'us-east-1', 'bench', 'small', 'cluster', 'network_balanced', 100,
       1, 'same_region', 'single_az', 1, 14, 0, 0, '1')`,
  );
  await sql.query(
    `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values (1, 'bench', 'initialized', '')`,
  );
  await sql.query(
    `insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size)
     select 1, n, 'node-' || n, 'leader', 'embedded', '1', 'i', 'network_balanced', 100 from generate_series(1, ${NODES}) n`,
  );
}
