// Two databases in one PostgreSQL. In the small one, the other tenant has as many entries as our tenant; in the large
// one, a thousand times as many. The entries are spread over one year, as for an old tenant.
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrate } from '../../../dist/libs/persistence/src/migrations/index.js';
import { Database, dataSourceOptions } from '../../../dist/libs/persistence/src/index.js';
import { pastMonths } from '../past-months.mjs';

/** Has a thousand entries in both databases. */
export const OURS = 1;
/** Has all other entries. */
export const LARGE = 2;

/** Fills a database with `others` entries of the large tenant and our thousand, and opens it like the apps do. */
export async function openAudit(serverUrl, name, others) {
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  await server.query(`create database ${name}`);
  await server.end();
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  await migrate(url);
  await fill(url, others);
  const options = { databaseUrl: url, secretKeys: `k1:${Buffer.alloc(32).toString('base64')}`, poolSize: 4 };
  const source = await new DataSource(dataSourceOptions({ ...options, applicationName: 'bench' })).initialize();
  return { url, database: new Database(source), close: () => source.destroy() };
}

async function fill(url, others) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set timezone = 'utc'`);
  await client.query(pastMonths(13));
  // Without triggers: their cost per entry is measured separately, and the counters are filled once at the end.
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into tenants (name, owner_id, plan) values ('ours', 1, 'enterprise'), ('large', 1, 'enterprise')`,
  );
  await client.query(ENTRIES, [OURS, 1000]);
  await client.query(ENTRIES, [LARGE, others]);
  await client.query(COUNTERS);
  await client.query('vacuum analyze');
  await client.end();
}

/** Ten authors and ten divisions of the same size. One of 100,000 entries has the rare type, key and user. */
const ENTRIES = `
insert into audit_entries (retention_class, created_at, tenant_id, type, author_id, author_name, api_key_id, api_key_name,
  user_id, user_name, division_id, division_name, environment_id, environment_name, deployment_id, deployment_name, data,
  correlation_id)
select 365, now() - interval '364 days' * (1 - n::float / $2::int), $1::int,
       case when n % 100000 = 0 then 'api_key_deleted' else (array['division_created', 'division_updated', 'environment_created',
         'environment_updated', 'environment_deleted', 'deployment_created', 'deployment_initialized', 'deployment_deleted',
         'operation_failed', 'api_key_created'])[1 + n % 10] end,
       n % 10, 'author ' || n % 10, case when n % 100000 = 0 then 999 else n % 20 end, 'key',
       case when n % 1000 = 0 then n % 7 + 1 end, case when n % 1000 = 0 then 'user' end,
       1 + (n / 10) % 10, 'division', 1 + (n / 10) % 30, 'environment', 1 + (n / 10) % 300, 'deployment',
       jsonb_build_object('name', 'thing ' || n, 'previous', jsonb_build_object('name', 'thing of before')),
       md5($1::int || ' ' || n / 2)::uuid
  from generate_series(1, $2::int) n`;

const COUNTERS = `
insert into audit_counters (tenant_id, division_id, day, type, retention_class, entries)
select tenant_id, counter.id, created_at::date, type, retention_class, count(*)
  from audit_entries cross join lateral (values (0), (division_id)) counter (id) group by 1, 2, 3, 4, 5`;
