// Engine: a workflow of ten empty steps in steps per second, compared with empty BullMQ jobs per second: the same
// backend (PostgreSQL, then Redis), the same concurrency, alternating.
import { Queue, setDefaultBackendFactory, createPostgresBackend, Worker } from 'bullmq';
import { DataSource } from 'typeorm';
import { Database, dataSourceOptions } from '../../../dist/libs/persistence/src/index.js';
import {
  hop,
  done,
  Operations,
  OperationStore,
  Runner,
  stepTable,
  WorkflowLog,
} from '../../../dist/libs/workflow/src/index.js';
import { BullmqWakeUpQueue } from '../../../dist/libs/queue/src/bullmq-wake-up-queue.js';
import { stealShare, round, summary, verdict } from '../measure.mjs';
import { openRedis } from './own-redis.mjs';

const HOPS = 10;
const OPERATIONS = 200;
const CONCURRENCY = 50;
/** Steps per second, by empty jobs per second. */
const TARGETS = { PostgreSQL: 3, Redis: 0.5 };

/** Counts the operations that ended. */
class Ends extends WorkflowLog {
  ends = 0;
  told = () => undefined;

  stepRan() {}

  ended() {
    this.ends += 1;
    this.told();
  }

  /** Resolves when `count` further operations have ended. */
  after(count) {
    const target = this.ends + count;
    return new Promise((resolve) => {
      this.told = () => this.ends >= target && resolve();
    });
  }
}

export async function benchSteps(world, rounds) {
  const onPostgres = {
    name: 'PostgreSQL',
    connection: { connectionString: world.url, schema: 'bullmq', max: CONCURRENCY + 4 },
  };
  setDefaultBackendFactory(createPostgresBackend);
  const results = [await benchBackend(world, rounds, onPostgres)];
  const redis = await openRedis(world.dataDir);
  if (redis.missing) {
    process.stderr.write(`the engine on Redis is skipped: ${redis.missing}\n`);
    return report(results, { redis: `skipped: ${redis.missing}` });
  }
  try {
    // Without an argument BullMQ uses its default, which is Redis.
    setDefaultBackendFactory();
    const connection = { url: redis.url, maxRetriesPerRequest: null };
    results.push(await benchBackend(world, rounds, { name: 'Redis', connection }));
  } finally {
    await redis.stop();
  }
  return report(results, { redis: redis.version });
}

function report(results, notes) {
  return {
    rows: results.map(({ row }) => row),
    detail: { ...Object.fromEntries(results.map(({ name, detail }) => [name, detail])), ...notes },
    steal_share: Math.max(...results.map(({ steal }) => steal)),
  };
}

/** Wake-ups or empty jobs of one backend; the rows of the workflow are in PostgreSQL with either backend. */
async function benchBackend(world, rounds, { name, connection }) {
  const source = await new DataSource(
    dataSourceOptions({
      databaseUrl: world.url,
      secretKeys: world.secretKeys,
      applicationName: 'bench',
      poolSize: CONCURRENCY + 2,
    }),
  ).initialize();
  const database = new Database(source);
  const doorbell = new BullmqWakeUpQueue(connection, () => undefined);
  const operations = new Operations(database, doorbell);
  const log = new Ends();
  const runner = new Runner(
    database,
    new OperationStore(database),
    doorbell,
    new Map([['provision_deployment', noop()]]),
    log,
  );
  const rings = new Worker('operations.bench', (job) => Promise.all(job.data.ids.map((id) => runner.run(id))), {
    connection,
    concurrency: CONCURRENCY,
  });
  const empty = new Queue('empty', { connection });
  const jobs = new Worker('empty', async () => undefined, { connection, concurrency: CONCURRENCY });
  // Connections are closed at the end of the bench; these errors do not matter.
  for (const one of [rings, jobs, empty]) one.on('error', () => undefined);
  await Promise.all([rings.waitUntilReady(), jobs.waitUntilReady()]);
  const samples = [];
  await stepsPerSecond(database, operations, log);
  await jobsPerSecond(empty, jobs);
  const steal = stealShare().now;
  for (let n = 0; n < rounds; n += 1)
    samples.push({ steps: await stepsPerSecond(database, operations, log), jobs: await jobsPerSecond(empty, jobs) });
  const { share } = stealShare(steal);
  await Promise.all([rings.close(), jobs.close(), empty.close(), doorbell.close()]);
  await source.destroy();
  const ratio = summary(samples.map(({ steps, jobs: rate }) => steps / rate));
  const target = TARGETS[name];
  return {
    name,
    row: { name: `engine on ${name}: steps/s by BullMQ jobs/s`, ...ratio, target, verdict: verdict(ratio, target) },
    detail: {
      steps_per_second: round(summary(samples.map(({ steps }) => steps)).median, 0),
      jobs_per_second: round(summary(samples.map(({ jobs: rate }) => rate)).median, 0),
      concurrency: CONCURRENCY,
    },
    steal: round(share, 4),
  };
}

function noop() {
  const names = ['creating', ...Array.from({ length: HOPS - 1 }, (_, n) => `step_${n + 2}`)];
  const table = Object.fromEntries(names.map((name, n) => [name, { to: names[n + 1] ? [names[n + 1]] : [] }]));
  const steps = Object.fromEntries(
    names.map((name, n) => [name, async () => (names[n + 1] ? hop(names[n + 1]) : done())]),
  );
  return { type: 'provision_deployment', table: stepTable(table), steps };
}

async function stepsPerSecond(database, operations, log) {
  const finished = log.after(OPERATIONS);
  const begun = performance.now();
  await database.transaction(async () => {
    for (let n = 0; n < OPERATIONS; n += 1)
      await operations.start({
        type: 'provision_deployment',
        cell: 'bench',
        tenantId: 1,
        divisionId: null,
        environmentId: null,
        deploymentId: null,
        authorId: null,
        apiKeyId: null,
        traceId: 'b'.repeat(32),
      });
  });
  await finished;
  return (OPERATIONS * HOPS * 1000) / (performance.now() - begun);
}

async function jobsPerSecond(queue, worker) {
  const count = OPERATIONS * HOPS;
  const finished = completions(worker, count);
  const begun = performance.now();
  await queue.addBulk(
    Array.from({ length: count }, (_, n) => ({
      name: 'empty',
      data: { n },
      opts: { attempts: 1, removeOnComplete: true },
    })),
  );
  await finished;
  return (count * 1000) / (performance.now() - begun);
}

function completions(worker, count) {
  return new Promise((resolve) => {
    let left = count;
    const seen = () => {
      left -= 1;
      if (left > 0) return;
      worker.off('completed', seen);
      resolve();
    };
    worker.on('completed', seen);
  });
}
