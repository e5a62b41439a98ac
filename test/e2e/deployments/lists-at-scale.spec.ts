import { randomBytes } from 'node:crypto';
import type { Installation } from '@libs/persistence/migrations';
import { ApiClient, createTestDatabase, given, seedTestInstallation, type TestDatabase } from '@libs/testing';
import type { INestApplication } from '@nestjs/common';
import pg from 'pg';
import { startMainApi, startSupervisor } from '../in-process/in-process-apps.js';
import { StatementRecorder, type SentStatement } from '../in-process/statement-recorder.js';

const MOST_STATEMENTS = 6;
/** Below this number of rows a sequential scan is the right plan. */
const BIG = 5_000;
const OTHERS = 100;
const MANY = 1_000;

interface TenantIds {
  tenantId: number;
  divisionId: number;
  environmentId: number;
}

/** The routes that each caller reads: the whole tenant, one division, and the views of both apps. */
const ROUTES: [string, 'main' | 'runtime', (ids: TenantIds) => string][] = [
  ['the deployments of an environment', 'main', (at) => `${environment(at)}/deployments?results=100`],
  ['a page past the end of them', 'main', (at) => `${environment(at)}/deployments?results=100&page=99`],
  ['the structure of the tenant', 'main', ({ tenantId }) => `/tenants/${tenantId}/structure`],
  ['the summary of the tenant', 'main', ({ tenantId }) => `/tenants/${tenantId}/summary`],
  ['the health of the tenant', 'runtime', ({ tenantId }) => `/tenants/${tenantId}/summary`],
  [
    'the health of a division',
    'runtime',
    ({ tenantId, divisionId }) => `/tenants/${tenantId}/divisions/${divisionId}/summary`,
  ],
];

const environment = ({ tenantId, divisionId, environmentId }: TenantIds): string =>
  `/tenants/${tenantId}/divisions/${divisionId}/environments/${environmentId}`;

/**
 * One tenant has 1,000 deployments, among a hundred other tenants with as many each. Measures the cost of the lists.
 */
describe('With any number of deployments,', () => {
  let database: TestDatabase;
  let sql: pg.Client;
  let installation: Installation;
  let apps: Record<'main' | 'runtime', INestApplication>;
  let recorder: StatementRecorder;
  let one: TenantIds;
  let many: TenantIds;
  let large: Set<string>;

  beforeAll(async () => {
    database = await createTestDatabase();
    installation = await seedTestInstallation(database.url);
    sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
    await sql.query('set session_replication_role = replica');
    one = await given.tenant({ rows });
    many = await given.tenant({ rows });
    await fill(one, 1);
    await fill(many, MANY);
    await fillOthers();
    await sql.query('analyze');
    large = new Set(
      (
        await rows<{ name: string }>(`select relname as name from pg_class where relkind = 'r' and reltuples > ${BIG}`)
      ).map(({ name }) => name),
    );
    const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
    const { main_api, supervisor } = installation.role_urls;
    apps = {
      main: await startMainApi({ url: main_api, secretKeys }),
      runtime: await startSupervisor({ url: supervisor, secretKeys }),
    };
    recorder = StatementRecorder.start();
  });
  afterAll(async () => {
    recorder?.stop();
    await Promise.all(Object.values(apps ?? {}).map((app) => app.close()));
    await sql?.end();
    await database?.drop();
  });

  const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await sql.query<Row>(text, values)).rows;

  /**
   * Adds deployments with three nodes each, in four more divisions with two environments each and in the first
   * environment.
   */
  async function fill({ tenantId, divisionId, environmentId }: TenantIds, deployments: number): Promise<void> {
    await rows(`insert into divisions (tenant_id, name) select $1, 'division ' || n from generate_series(1, 4) n`, [
      tenantId,
    ]);
    await rows(
      `insert into environments (tenant_id, division_id, name)
       select d.tenant_id, d.id, 'environment ' || n from divisions d, generate_series(1, 2) n where d.tenant_id = $1`,
      [tenantId],
    );
    await rows(
      `with place as (
         select id, division_id, row_number() over (order by id) - 1 as nth, count(*) over () as places
           from environments where tenant_id = $1
       ), made as (
         ${INSERT_DEPLOYMENT}
         select $1, p.division_id, p.id, 'deployment ' || n, 't' || $1 || 'n' || n, ${SHAPE}
           from generate_series(0, $2::int - 1) n join place p on p.nth = n % p.places
         returning id
       )
       insert into deployment_runtimes (deployment_id, cell, status, peer_secret) select id, 'local', 'initialized', 'x' from made`,
      [tenantId, deployments],
    );
    await rows(`${INSERT_NODES} where d.tenant_id = $1`, [tenantId]);
    expect([divisionId, environmentId].every((id) => id > 0)).toBe(true);
  }

  /** Rows of other tenants, without organization rows. A query must not read them. */
  async function fillOthers(): Promise<void> {
    await rows(
      `with made as (
         ${INSERT_DEPLOYMENT}
         select 1000000 + n / ${MANY}, 1000000 + n / 100, 1000000 + n / 50, 'deployment ' || n, 'o' || n, ${SHAPE}
           from generate_series(0, ${OTHERS * MANY} - 1) n
         returning id
       )
       insert into deployment_runtimes (deployment_id, cell, status, peer_secret) select id, 'local', 'initialized', 'x' from made`,
    );
    await rows(`${INSERT_NODES} where d.tenant_id >= 1000000`);
    await rows(
      `insert into divisions (tenant_id, name) select 1000000 + n / 10, 'd' || n from generate_series(1, 20000) n`,
    );
    await rows(
      `insert into environments (tenant_id, division_id, name)
       select 1000000 + n / 20, 1000000 + n / 2, 'e' || n from generate_series(1, 40000) n`,
    );
  }

  /** Measures the second request: statements that each connection prepares once are not part of the cost. */
  async function ask(app: 'main' | 'runtime', ids: TenantIds, path: string) {
    const api = new ApiClient(
      await apps[app].getUrl(),
      await given.key({ rows, installation }, { tenantId: ids.tenantId }),
    );
    await api.get(path);
    let body: any;
    const sent = await recorder.during(async () => {
      const answer = await api.get(path);
      expect(answer.status).toBe(200);
      body = answer.body;
    });
    return { body, sent };
  }

  it('the tables are large', async () => {
    expect([...large]).toEqual(
      expect.arrayContaining(['deployments', 'deployment_runtimes', 'nodes', 'divisions', 'environments']),
    );
    const summary = await ask('main', many, `/tenants/${many.tenantId}/summary`);
    expect(summary.body).toMatchObject({ total_deployments: MANY, total_divisions: 5, total_environments: 11 });
    const health = await ask('runtime', many, `/tenants/${many.tenantId}/summary`);
    expect(health.body).toMatchObject({
      deployments: { total: MANY },
      nodes: { total: 3 * MANY, reachable: 3 * MANY },
    });
    const structure = await ask('main', many, `/tenants/${many.tenantId}/structure`);
    expect(JSON.stringify(structure.body).match(/"supervisor_url"/g)).toHaveLength(MANY);
  });

  describe.each(ROUTES)('%s', (_what, app, path) => {
    it(`needs at most ${MOST_STATEMENTS} statements, the same for few and many deployments`, async () => {
      const few = await ask(app, one, path(one));
      const all = await ask(app, many, path(many));

      expect(few.sent.length).toBeGreaterThan(0);
      expect(all.sent.length).toBeLessThanOrEqual(MOST_STATEMENTS);
      expect(namesOf(all.sent)).toEqual(namesOf(few.sent));
    });

    it('is read without a scan of a large table, with a specific and with a generic plan', async () => {
      const { sent } = await ask(app, many, path(many));

      for (const { name, text, values } of sent) {
        expect([name, await scansOf(text, values)]).toEqual([name, []]);
        expect([name, await scansOf(text, null)]).toEqual([name, []]);
      }
    });
  });

  it('the test detects a scan of a large table', async () => {
    expect(await scansOf('select count(name) from nodes', [])).toEqual(['nodes']);
  });

  /** The large tables that the plan scans completely. Without values, this is the generic plan. */
  async function scansOf(text: string, values: unknown[] | null): Promise<string[]> {
    const options = values ? 'format json' : 'format json, generic_plan';
    const [row] = await rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (${options}) ${text}`,
      values ?? undefined,
    );
    return nodesOf(row?.['QUERY PLAN'][0].Plan)
      .filter((node) => node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] ?? ''))
      .map((node) => node['Relation Name'] ?? '');
  }
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode | undefined): PlanNode[] =>
  node ? [node, ...(node.Plans ?? []).flatMap(nodesOf)] : [];

const namesOf = (sent: SentStatement[]): string[] => sent.map(({ name }) => name);

const INSERT_DEPLOYMENT = `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area,
  region, cell, tier, cluster, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count,
  telemetry_days, monthly_compute, monthly_storage, pricing_version)`;
const SHAPE = `'managed', 'aws', 'us', 'us-east-1', 'local', (array['small', 'medium', 'large'])[n % 3 + 1], 'cluster',
  'network_balanced', 100, 5000, 'same_region', 'single_az', 3, 14, 10, 2, '2026-11'`;
const INSERT_NODES = `insert into nodes (deployment_id, ordinal, name, role, image_id, storage_type, storage_size, status, last_seen_at, gauges)
  select d.id, n, 'node-' || n, case n when 1 then 'leader' else 'follower' end, 'i', 'network_balanced', 100, 'running', now(),
         '{"cpu_percent": 10, "memory_bytes": 1000000, "disk_bytes": 1000000}'
    from deployments d, generate_series(1, 3) n`;
