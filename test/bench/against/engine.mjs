// Steps of empty operations by the engine of one release, without a queue, in this process.

const HOPS = 10;

/** `load`: imports a module of the build of the release. */
export async function openEngine(load, { databaseUrl, secretKeys }) {
  const { Database, DataSource, dataSourceOptions } = await modules(load);
  const { done, hop, Operations, OperationStore, Runner, stepTable, WorkflowLog } =
    await load('libs/workflow/src/index.js');
  const { SilentWakeUpQueue } = await load('libs/queue/src/index.js');
  const options = { databaseUrl, secretKeys, applicationName: 'against', poolSize: 12 };
  const source = await new DataSource(dataSourceOptions(options)).initialize();
  const database = new Database(source);
  const wakeUps = new SilentWakeUpQueue();
  const log = Object.assign(new WorkflowLog(), { stepRan() {}, ended() {} });
  const workflow = emptyWorkflow({ done, hop, stepTable });
  const runner = new Runner(database, new OperationStore(database), wakeUps, new Map([[workflow.type, workflow]]), log);
  const operations = new Operations(database, wakeUps);
  return {
    /** The plan of the tenant allows any number of deployments, and a Supervisor serves the region. */
    async prepare() {
      await source.query(
        `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version, seen_at)
         values ('bench', 'http://127.0.0.1:1', 'http://127.0.0.1:2', '{*}', '{"aws": "local"}', 'embedded', '1.2.0', 'bench', 'infinity')`,
      );
      const unlimited = { limits: { concurrent_deployments_limit: 1e9 }, deployment_tiers: { small: 1e9 } };
      await source.query('update tenants set plan_overrides = $1', [JSON.stringify(unlimited)]);
    },
    /** CPU microseconds of each of at least `count` steps. */
    async steps(count) {
      const started = Math.ceil(count / HOPS);
      const ids = await database.transaction(() => start(operations, started));
      const before = process.cpuUsage();
      await Promise.all(ids.map((id) => runner.run(id)));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / (started * HOPS);
    },
  };
}

async function modules(load) {
  const { Database, dataSourceOptions } = await load('libs/persistence/src/index.js');
  const { DataSource } = await import('typeorm');
  return { Database, dataSourceOptions, DataSource };
}

async function start(operations, count) {
  const ids = [];
  for (let n = 0; n < count; n += 1)
    ids.push(
      await operations.start({
        ...{ type: 'provision_deployment', cell: 'bench', tenantId: 1, traceId: 'b'.repeat(32) },
        ...{ divisionId: null, environmentId: null, deploymentId: null, authorId: null, apiKeyId: null },
      }),
    );
  return ids;
}

function emptyWorkflow({ done, hop, stepTable }) {
  const names = ['creating', ...Array.from({ length: HOPS - 1 }, (_, n) => `step_${n + 2}`)];
  const table = Object.fromEntries(names.map((name, n) => [name, { to: names[n + 1] ? [names[n + 1]] : [] }]));
  const steps = Object.fromEntries(
    names.map((name, n) => [name, async () => (names[n + 1] ? hop(names[n + 1]) : done())]),
  );
  return { type: 'provision_deployment', table: stepTable(table), steps };
}
