import { Injectable } from '@nestjs/common';
import { statement, Database } from '../database.js';

/** A transaction that has been open for a long time. */
export interface LongTransaction {
  pid: number;
  application_name: string;
  state: string;
  seconds: number;
}

/** A table right that a role lacks, or that it should not have. */
export interface TableRight {
  role: string;
  table: string;
  rights: string[];
}

const SERVER = statement(
  'health.server',
  `select current_setting('server_version') as version, current_setting('max_connections')::int as max_connections,
          (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
          extract(epoch from clock_timestamp())::float8 as clock`,
);
const SCHEMA = statement('health.schema', 'select name from migrations order by timestamp');
const LONG = statement(
  'health.long_transactions',
  `select pid, application_name, coalesce(state, '') as state, extract(epoch from now() - xact_start)::int as seconds
     from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - make_interval(secs => $1)
    order by xact_start limit 20`,
);
const ROLES = statement('health.roles', 'select rolname as role from pg_roles where rolname = any($1)');
const RIGHTS = statement(
  'health.rights',
  `select r.role, t.name as table,
          array(select p from unnest(array['select', 'insert', 'update', 'delete']) p
                 where has_table_privilege(r.role, t.name, p)) as rights
     from unnest($1::text[]) as r(role), unnest($2::text[]) as t(name)`,
);
const APPS = statement(
  'health.apps',
  `select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name in ('landlord-main-api', 'landlord-supervisor', 'landlord-listen')
    order by 1`,
);
const BULLMQ = statement('health.bullmq', `select to_regclass('bullmq.job') is not null as there`);

/** Health of the database. Only reads. */
@Injectable()
export class DatabaseHealthRepository {
  constructor(private readonly database: Database) {}

  /** `clock` in seconds since 1970. */
  async server(): Promise<{ version: string; max_connections: number; connections: number; clock: number }> {
    const [row] = await this.database.query<{
      version: string;
      max_connections: number;
      connections: number;
      clock: number;
    }>(SERVER);
    return row ?? { version: '', max_connections: 0, connections: 0, clock: 0 };
  }

  /** Names of the applied migrations, oldest first. */
  async migrations(): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(SCHEMA);
    return rows.map(({ name }) => name);
  }

  async transactionsLongerThan(seconds: number): Promise<LongTransaction[]> {
    return this.database.query<LongTransaction>(LONG, [seconds]);
  }

  /** The names among these that exist as roles. */
  async roles(names: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ role: string }>(ROLES, [names]);
    return rows.map(({ role }) => role);
  }

  /** The rights of each role on each table. Roles and tables must exist. */
  async rights(roles: readonly string[], tables: readonly string[]): Promise<TableRight[]> {
    return this.database.query<TableRight>(RIGHTS, [roles, tables]);
  }

  /** Application names of the connections to this database. */
  async connectedApps(): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(APPS);
    return rows.map(({ name }) => name);
  }

  async hasQueueSchema(): Promise<boolean> {
    const [row] = await this.database.query<{ there: boolean }>(BULLMQ);
    return row?.there ?? false;
  }
}
