import { Database } from '@libs/persistence';
import { WorkflowBench } from '@libs/testing';
import { DiagnosticFactsRepository } from './diagnostic-facts.repository.js';
import { NodeLogsRepository, type NodeLogBatch } from './node-logs.repository.js';
import { TelemetryCleanupRepository } from './telemetry-cleanup.repository.js';
import { TelemetrySamplesRepository, type NodeSample } from './telemetry-samples.repository.js';
import { TelemetryRepository } from './telemetry.repository.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Bytes of log lines per node and day in the tenant's plan. */
const DAILY = { pro: 1e6 };

/** The start of the minute `ms` milliseconds ago. */
const minuteAgo = (ms: number): Date => new Date(Math.floor((Date.now() - ms) / MINUTE_MS) * MINUTE_MS);

describe('Telemetry', () => {
  let bench: WorkflowBench;
  let telemetry: TelemetryRepository;
  let keeping: TelemetryCleanupRepository;
  let deployment = 0;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    telemetry = new TelemetryRepository(bench.database);
    keeping = new TelemetryCleanupRepository(bench.database);
    await bench.rows(`insert into users (email, name, password_hash) values ('u@example.com', 'U', 'none')`);
    await bench.rows(`insert into tenants (name, owner_id, plan) values ('tenant', 1, 'pro')`);
    await bench.rows(`insert into divisions (tenant_id, name) values (1, 'division')`);
    await bench.rows(`insert into environments (tenant_id, division_id, name) values (1, 1, 'environment')`);
    for (let days = 2; days <= 8; days += 1) await makeDay(days);
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    deployment = await aDeployment();
  });

  it('counts the reports of a minute over several writes', async () => {
    const node = await aNode();
    const samples = new TelemetrySamplesRepository(bench.database);
    const minute = minuteAgo(0);
    await samples.record([sample(node, minute, 1, { cpu_percent: 10, clients: 3 })]);
    await samples.record([sample(node, minute, 5, { cpu_percent: 30 })]);

    const { items, total } = await telemetry.heartbeats(deployment, node, { page: 1, results: 10 });
    const [point] = await series(node, HOUR_MS, 60);
    expect([total, items[0]?.beats]).toEqual([1, 6]);
    expect(point).toMatchObject({ cpu_percent: 30, clients: 3, topics: null });
  });

  it('of a deleted node is not stored', async () => {
    await new TelemetrySamplesRepository(bench.database).record([sample(999_999, minuteAgo(0), 1, {})]);

    expect((await telemetry.heartbeats(deployment, null, { page: 1, results: 10 })).total).toBe(0);
  });

  it('is rolled up per hour, is read from roll-ups after two days, and its raw days are dropped', async () => {
    const node = await aNode();
    const hour = new Date(Math.floor((Date.now() - 75 * HOUR_MS) / HOUR_MS) * HOUR_MS);
    await bench.rows(
      `insert into node_metrics (deployment_id, node_id, runtime, minute, cpu_percent, bytes_in)
       select $1, $2, 'broker', $3::timestamptz + n * interval '1 minute', n, 100 * n from generate_series(0, 9) n`,
      [deployment, node, hour],
    );
    await bench.rows('update telemetry_rollup set rolled_up_to = $1', [hour]);
    const before = await series(node, 100 * HOUR_MS, 300);
    while (await rollUp());
    const dropped = await keeping.dropExpired();

    expect(before).toEqual([]);
    expect(
      (await series(node, 100 * HOUR_MS, 300)).map((point) => [point.at, point.cpu_percent, point.bytes_in]),
    ).toEqual([
      [hour, 2, 400],
      [new Date(hour.getTime() + 5 * MINUTE_MS), 7, 900],
    ]);
    expect(dropped.filter((name) => name.startsWith('node_metrics_')).length).toBeGreaterThan(2);
    expect(dropped.filter((name) => !name.startsWith('node_metrics_'))).toEqual([]);
    const [row] = await bench.rows<{ count: string }>('select count(*) from node_metrics where node_id = $1', [node]);
    expect(Number(row?.count)).toBe(0);
  });

  it('is hidden when it is older than the retention of its deployment', async () => {
    const node = await aNode();
    await bench.rows('update deployments set telemetry_days = 3 where id = $1', [deployment]);
    for (const hours of [71, 73]) {
      const minute = minuteAgo(hours * HOUR_MS);
      await bench.rows(`insert into node_heartbeats values ($1, $2, $3, 1, $2, 'running', null)`, [
        deployment,
        minute,
        node,
      ]);
      await bench.rows(
        `insert into node_metric_rollups (deployment_id, node_id, runtime, minute, clients) values ($1, $2, 'broker', $3, $4)`,
        [deployment, node, minute, hours],
      );
      await bench.rows(
        `insert into node_logs (deployment_id, node_id, at, runtime, level, message) values ($1, $2, $3, 'broker', 'info', $4)`,
        [deployment, node, minute, `${hours} hours`],
      );
    }
    const window = { deploymentId: deployment, from: minuteAgo(100 * HOUR_MS), to: new Date() };

    expect((await telemetry.heartbeats(deployment, null, { page: 1, results: 10 })).total).toBe(1);
    expect((await series(node, 100 * HOUR_MS, 300)).map(({ clients }) => clients)).toEqual([71]);
    const logs = await new NodeLogsRepository(bench.database).page(window, { page: 1, results: 10 });
    expect(logs.items.map(({ message }) => message)).toEqual(['71 hours']);
    expect(logs.total).toBe(1);
  });

  it('of several nodes is read in one query, with separate runtimes', async () => {
    const [first, second, other] = [await aNode(), await aNode(), await aNode()];
    const samples = new TelemetrySamplesRepository(bench.database);
    const [early, late] = [minuteAgo(10 * MINUTE_MS), minuteAgo(0)];
    for (const node of [second, first, other])
      for (const minute of [late, early]) {
        await samples.record([sample(node, minute, 1, { clients: node })]);
        await samples.record([{ ...sample(node, minute, 1, { clients: 0 }), runtime: 'connectors' }]);
      }

    const window = { from: minuteAgo(HOUR_MS), to: new Date(Date.now() + MINUTE_MS), stepSeconds: 60 };
    const points = await telemetry.seriesOfNodes(deployment, [second, first], window);
    const expected = [first, second].flatMap((node) => [
      ...[early, late].map((at) => [node, 'broker', at, node]),
      ...[early, late].map((at) => [node, 'connectors', at, 0]),
    ]);
    expect(points.map(({ node_id: node, runtime, at, clients }) => [node, runtime, at, clients])).toEqual(expected);
    expect(await telemetry.seriesOfNodes(await aDeployment(), [second, first], window)).toEqual([]);
  });

  it('of a deleted deployment is deleted in several rounds', async () => {
    const node = await aNode();
    await bench.rows(
      `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
       select $1, $2, now(), 'broker', 'info', 'x' from generate_series(1, 6000)`,
      [deployment, node],
    );
    await bench.rows(
      `update deployment_runtimes set deleted_at = now() - interval '2 minutes' where deployment_id = $1`,
      [deployment],
    );

    expect(await keeping.left('local')).toContainEqual({ id: deployment, isSettled: true });
    expect([await keeping.purge(deployment), await keeping.purge(deployment), await keeping.purge(deployment)]).toEqual(
      [true, true, false],
    );
    await keeping.markPurged(deployment);
    expect((await keeping.left('local')).map(({ id }) => id)).not.toContain(deployment);
  });

  describe('log lines', () => {
    it('returns the last lines of several nodes', async () => {
      const [first, second, other] = [await aNode(), await aNode(), await aNode()];
      await bench.rows(
        `insert into node_logs (deployment_id, node_id, at, runtime, level, message)
         select $1, node, now() - n * interval '1 minute', runtime, 'info', node || ' ' || runtime || ' ' || n
           from unnest($2::bigint[]) node, unnest('{agent,broker}'::text[]) runtime, generate_series(1, 3) n`,
        [deployment, [second, first, other]],
      );

      const rows = await new DiagnosticFactsRepository(bench.database).logs(deployment, [second, first], 2);

      expect(rows.map(({ message }) => message)).toEqual(
        [first, second].flatMap((node) =>
          ['agent 2', 'agent 1', 'broker 2', 'broker 1'].map((line) => `${node} ${line}`),
        ),
      );
      expect(rows.map(({ node_id: node, runtime }) => `${node} ${runtime}`)).toEqual(
        rows.map(({ message }) => message.replace(/ \d+$/, '')),
      );
    });

    const store = async (...batches: NodeLogBatch[]): Promise<Map<number, string | null>> => {
      const database = new Database(bench.database.dataSource);
      const stored = await database.transaction(() => new NodeLogsRepository(database).storeUnscoped(batches, DAILY));
      return new Map(stored.map(({ nodeId, cursor }) => [nodeId, cursor]));
    };
    const batch = (nodeId: number, after: string | null, cursor: string, ...messages: string[]): NodeLogBatch => ({
      nodeId,
      after,
      cursor,
      lines: messages.map((message) => ({ runtime: 'broker', level: 'info', at: Date.now(), message })),
    });
    const lines = async () =>
      (
        await bench.rows<{ message: string }>('select message from node_logs where deployment_id = $1 order by id', [
          deployment,
        ])
      ).map(({ message }) => message);

    it('stores a batch once, also when two gateways send it repeatedly and concurrently', async () => {
      const node = await aNode();
      await store(batch(node, null, 'a', 'one', 'two'));
      const again = await Promise.all([1, 2, 3].map(() => store(batch(node, 'a', 'b', 'three'))));
      const late = await store(batch(node, null, 'c', 'one'));

      expect(again.map((answer) => answer.get(node))).toEqual(['b', 'b', 'b']);
      expect(late.get(node)).toBe('b');
      expect(await lines()).toEqual(['one', 'two', 'three']);
    });

    it('makes lines visible in the order of their ids', async () => {
      const [first, second] = [await aNode(), await aNode()];
      const slow = new Database(bench.database.dataSource);
      let other: Promise<unknown> = Promise.resolve();
      await slow.transaction(async () => {
        await new NodeLogsRepository(slow).storeUnscoped([batch(first, null, 'a', 'one')], DAILY);
        // Uses another connection, because it must wait for the end of the open transaction.
        other = store(batch(second, null, 'a', 'two'));
        expect(await lines()).toEqual([]);
      });
      await other;

      expect(await lines()).toEqual(['one', 'two']);
    });

    describe('above the daily limit', () => {
      const TEN_BYTES = { pro: 10 };
      const storeLimited = (...batches: NodeLogBatch[]) =>
        bench.database.transaction(() => new NodeLogsRepository(bench.database).storeUnscoped(batches, TEN_BYTES));

      it('drops the lines, and still advances the cursor', async () => {
        const [node, other] = [await aNode(), await aNode()];
        const first = await storeLimited(batch(node, null, 'a', '123456789', '1234'));
        const over = await storeLimited(batch(node, 'a', 'b', 'x', 'y', 'z'), batch(other, null, 'a', 'quiet'));

        expect(first).toMatchObject([{ cursor: 'a', leftOut: 0, limitBytes: 10 }]);
        expect(over).toMatchObject([
          { nodeId: node, cursor: 'b', leftOut: 3 },
          { nodeId: other, cursor: 'a', leftOut: 0 },
        ]);
        expect(await lines()).toEqual(['123456789', '1234', 'quiet']);
      });

      it('stores lines again on the next day, and reports the dropped lines of the previous day', async () => {
        const node = await aNode();
        await storeLimited(batch(node, null, 'a', '1234567890'));
        await storeLimited(batch(node, 'a', 'b', 'lost'));
        await bench.rows('update node_log_cursors set day = day - 1 where node_id = $1', [node]);

        const [next] = await storeLimited(batch(node, 'b', 'c', 'kept'));

        expect(next).toMatchObject({
          leftOut: 0,
          leftOutBefore: 1,
          dayBefore: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        });
        expect(await lines()).toEqual(['1234567890', 'kept']);
      });
    });

    it('adds a line of Landlord itself once a day', async () => {
      const node = await aNode();
      const note = () => bench.database.transaction(() => new NodeLogsRepository(bench.database).note(node, 'dropped'));

      expect([await note(), await note()]).toEqual([true, false]);
      expect(await lines()).toEqual(['dropped']);
    });

    it('limits timestamps to the range that the gateway accepts', async () => {
      const node = await aNode();
      const at = (ms: number) => ({ ...batch(node, null, 'a', 'x').lines[0], at: ms }) as NodeLogBatch['lines'][0];
      await store({ nodeId: node, after: null, cursor: 'a', lines: [at(0), at(Date.now() + 9 * HOUR_MS)] });

      const rows = await bench.rows<{ at: Date }>('select at from node_logs where deployment_id = $1 order by id', [
        deployment,
      ]);
      const [past = 0, future = 0] = rows.map((row) => new Date(row.at).getTime());
      expect(past).toBeGreaterThan(Date.now() - 48 * HOUR_MS);
      expect(future).toBeLessThanOrEqual(Date.now());
    });
  });

  const rollUp = (): Promise<boolean> =>
    bench.database.transaction(async () => {
      const hour = await keeping.claimHour();
      if (hour) await keeping.rollUp(hour);
      return hour !== null;
    });
  it('lets the roll-up of an hour take longer than other statements', async () => {
    await bench.rows(`update telemetry_rollup set rolled_up_to = rolled_up_to - interval '3 hours'`);
    const limit = () => bench.database.query({ name: '', text: 'show statement_timeout' });

    const limits = await bench.database.transaction(async () => {
      await keeping.claimHour();
      return limit();
    });

    expect([limits, await limit()].flat()).toEqual([{ statement_timeout: '30min' }, { statement_timeout: '15s' }]);
  });

  const series = (nodeId: number, ageMs: number, stepSeconds: number) =>
    telemetry.series({
      deploymentId: deployment,
      nodeId,
      runtime: 'broker',
      from: minuteAgo(ageMs),
      to: new Date(Date.now() + MINUTE_MS),
      stepSeconds,
    });

  const sample = (nodeId: number, minute: Date, beats: number, metrics: NodeSample['metrics']): NodeSample => ({
    deploymentId: deployment,
    nodeId,
    minute: minute.toISOString(),
    beats,
    lastAt: new Date(),
    status: 'running',
    agentVersion: '0',
    runtime: 'broker',
    metrics,
  });

  async function aDeployment(): Promise<number> {
    const [row] = await bench.rows<{ id: number }>(`
      insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
        storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
        monthly_compute, monthly_storage, pricing_version)
      select 1, 1, 1, 'd' || count(*), 'c' || count(*), 'managed', 'aws', 'us', 'us-east-1', 'local', 'small', 'cluster',
             'network_balanced', 100, 1, 'same_region', 'single_az', 1, 14, 0, 0, '1' from deployments returning id`);
    const id = Number(row?.id);
    await bench.rows(
      `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values ($1, 'local', 'initialized', '')`,
      [id],
    );
    return id;
  }

  async function aNode(): Promise<number> {
    const [row] = await bench.rows<{ id: number }>(
      `insert into nodes (deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size)
       select $1, 1 + count(*), 'node-' || count(*), 'leader', 'embedded', '1', 'i', 'network_balanced', 100 from nodes
        where deployment_id = $1 returning id`,
      [deployment],
    );
    return Number(row?.id);
  }

  async function makeDay(daysAgo: number): Promise<void> {
    for (const parent of ['node_heartbeats', 'node_metrics', 'node_metric_rollups', 'node_logs'])
      await bench.rows(`
        do $$ declare day date := (now() at time zone 'utc')::date - ${daysAgo};
        begin
          execute format('create table %I partition of ${parent} for values from (%L) to (%L)',
            '${parent}' || to_char(day, '_YYYY_MM_DD'), day::timestamp at time zone 'utc', (day + 1)::timestamp at time zone 'utc');
        end $$`);
  }
});
