import { OWNERSHIP, privileges, SchemaCheck, statement, type OwnedTable, type WritingApp } from '@libs/persistence';
import { APP_ROLES } from '@libs/persistence/migrations';
import { CellCommands } from '../cell-commands.js';
import { DestructionHold } from '../destruction-hold.js';
import { IncidentCommands } from '../incident-commands.js';
import { InvoiceCommands } from '../invoice-commands.js';
import { RELEASE_SCHEMA, type OperatorSession } from '../operator-session.js';
import { Rekeying } from '../rekeying.js';
import { appliedMigrations, serverFacts } from './database-facts.js';
import { fail, ok, warn, type Finding } from './finding.js';

const LONG_SECONDS = 300;
const FULL = 0.85;
/** A cell announces itself every 10 s. */
const SEEN_SECONDS = 30;
/** Workers check months once an hour. Some hours without a worker are no reason for an alarm. */
const BILLING_GRACE_HOURS = 6;
const CLOCK_WARN_SECONDS = 2;
const CLOCK_FAIL_SECONDS = 30;

/** A transaction that has been open for a long time. */
interface LongTransaction {
  pid: number;
  application_name: string;
  state: string;
  seconds: number;
}

/** A table right that a role lacks, or that it should not have. */
interface TableRight {
  role: string;
  table: string;
  rights: string[];
}

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
const BULLMQ = statement('health.bullmq', `select to_regclass('bullmq.job') is not null as there`);

/** The doctor's checks of the database. Changes nothing. */
export class DatabaseDiagnosis {
  constructor(private readonly session: OperatorSession) {}

  /**
   * All findings. Stops when the schema is unusable. `closesAfterHours`: hours that the accounts of a month stay open after its
   * end, `BILLING_CLOSES_AFTER_HOURS`.
   */
  async findings(closesAfterHours: number): Promise<Finding[]> {
    const schema = await this.schema();
    const server = [await this.server(), await this.clock(), await this.longTransactions()];
    if (schema.level === 'fail') return [...server, schema];
    const rest = [
      // For a newer schema only the doctor of the newer release has the right grants.
      ...(schema.level === 'ok' ? [await this.grants()] : []),
      await this.cells(),
      await this.incidents(),
      await this.billing(closesAfterHours),
      await this.hold(),
      await this.keys(),
    ];
    return [...server, schema, ...rest];
  }

  /** Checks the tables of a queue in PostgreSQL. */
  async queue(): Promise<Finding> {
    const [row] = await this.session.database.query<{ there: boolean }>(BULLMQ);
    if (row?.there) return ok('queue', 'in PostgreSQL, its tables exist');
    return fail('queue', 'in PostgreSQL, but its tables are missing', 'Run: landlord migrate');
  }

  private async server(): Promise<Finding> {
    const { version, connections, max_connections } = await serverFacts(this.session.database);
    const what = `PostgreSQL ${version}, ${connections} of ${max_connections} connections in use`;
    if (connections <= max_connections * FULL) return ok('database', what);
    return warn(
      'database',
      what,
      'Raise max_connections, or find the clients with many connections: select * from pg_stat_activity',
    );
  }

  private async clock(): Promise<Finding> {
    const startedAt = Date.now();
    const { clock } = await serverFacts(this.session.database);
    const difference = clock - (startedAt + Date.now()) / 2000;
    const drift = Math.abs(difference).toFixed(1);
    const unknown = 'this check does not know the correct time';
    if (Math.abs(difference) < CLOCK_WARN_SECONDS)
      return ok('clock', `this machine and the database have the same time; ${unknown}`);
    const grade = Math.abs(difference) < CLOCK_FAIL_SECONDS ? warn : fail;
    const what = `the database is ${drift} s ${difference > 0 ? 'ahead of' : 'behind'} this machine; ${unknown}`;
    return grade(
      'clock',
      what,
      'Synchronize the clocks of both machines with NTP, and check the result (timedatectl).',
    );
  }

  private async longTransactions(): Promise<Finding> {
    const [oldest, ...others] = await this.session.database.query<LongTransaction>(LONG, [LONG_SECONDS]);
    if (!oldest) return ok('transactions', `no transaction is older than ${LONG_SECONDS / 60} minutes`);
    const { pid, application_name: name, state, seconds } = oldest;
    const what = `${others.length + 1} older than ${LONG_SECONDS / 60} minutes; the oldest: pid ${pid}, ${name || 'unnamed'}, ${state}, ${seconds} s`;
    return warn(
      'transactions',
      what,
      `Old transactions prevent the cleanup of tables. Stop the oldest: select pg_terminate_backend(${pid})`,
    );
  }

  private async schema(): Promise<Finding> {
    const applied = await appliedMigrations(this.session.database).catch((): string[] => []);
    const missing = RELEASE_SCHEMA.filter((name) => !applied.includes(name));
    const newer = applied.filter((name) => !RELEASE_SCHEMA.includes(name));
    if (missing.length > 0)
      return fail(
        'schema',
        `older than this release; missing migrations: ${missing.join(', ')}`,
        'Run: landlord migrate',
      );
    const problem = await new SchemaCheck(this.session.database).problem();
    if (problem !== null)
      return fail('schema', problem, 'Use the same release as the other processes of the installation.');
    if (newer.length === 0) return ok('schema', `${applied.at(-1)}, matches this release`);
    const todo =
      'This release can use the schema. Update the other processes of the installation to the newer release soon.';
    return warn('schema', `newer than this release: ${newer.join(', ')}`, todo);
  }

  private async grants(): Promise<Finding> {
    const { database } = this.session;
    const rows = await database.query<{ role: string }>(ROLES, [Object.values(APP_ROLES)]);
    const roles = rows.map(({ role }) => role);
    if (roles.length === 0) return ok('grants', 'this server has no roles of the apps; both apps use DATABASE_URL');
    const tables = Object.keys(OWNERSHIP) as OwnedTable[];
    const apps = (Object.keys(APP_ROLES) as WritingApp[]).filter((app) => roles.includes(APP_ROLES[app]));
    const tableRights = await database.query<TableRight>(RIGHTS, [roles, tables]);
    const wrong = apps.flatMap((app) =>
      tableRights
        .filter(({ role }) => role === APP_ROLES[app])
        .filter(({ table, rights }) => !sameRights(rights, privileges(table as OwnedTable, app)))
        .map(({ role, table, rights }) => `${role} on ${table}: ${rights.join(', ') || 'no rights'}`),
    );
    if (wrong.length === 0)
      return ok('grants', `${roles.join(', ')}: the rights on ${tables.length} tables are correct`);
    return fail('grants', `wrong rights: ${wrong.slice(0, 5).join('; ')}`, 'Run: landlord migrate');
  }

  private async cells(): Promise<Finding> {
    const cells = await new CellCommands(this.session).list();
    const silent = cells.filter(({ seen_seconds_ago }) => seen_seconds_ago > SEEN_SECONDS);
    const drained = cells.filter(({ drained_at }) => drained_at !== null).map(({ cell }) => cell);
    const note = drained.length > 0 ? `; drained: ${drained.join(', ')}` : '';
    if (cells.length === 0) return warn('cells', 'no Supervisor has ever registered', 'Run: npm start');
    if (silent.length === 0)
      return ok('cells', `${cells.map(({ cell }) => cell).join(', ')}: seen within ${SEEN_SECONDS} s${note}`);
    const names = silent.map(({ cell, seen_seconds_ago }) => `${cell} (${Math.round(seen_seconds_ago)} s ago)`);
    return warn(
      'cells',
      `not seen for ${SEEN_SECONDS} s: ${names.join(', ')}${note}`,
      'Start the Supervisors of these cells.',
    );
  }

  private async incidents(): Promise<Finding> {
    const open = await new IncidentCommands(this.session).list(false);
    if (open.length === 0) return ok('incidents', 'no incident is open');
    const kinds = [...new Set(open.map(({ kind }) => kind))].join(', ');
    return warn('incidents', `${open.length} open: ${kinds}`, 'List the incidents: landlord ops incidents list');
  }

  private async billing(closesAfterHours: number): Promise<Finding> {
    const hours = closesAfterHours + BILLING_GRACE_HOURS;
    const month = await new InvoiceCommands(this.session).overdueMonth(hours);
    if (month === null) return ok('billing', 'no finished month lacks invoices after the time limit');
    const todo =
      "Run a worker of the main API (LANDLORD_ROLE). Check the schedule: select * from schedules where name = 'billing_months'";
    return warn('billing', `${month} ended more than ${hours} hours ago, and some of its invoices are missing`, todo);
  }

  private async hold(): Promise<Finding> {
    const since = await new DestructionHold(this.session).since();
    if (since === null) return ok('destruction', 'not on hold');
    const todo = 'Check the resources, then run: landlord ops resume-destruction';
    return warn('destruction', `on hold since ${since.toISOString()}, after a restore`, todo);
  }

  private async keys(): Promise<Finding> {
    const { keyIds, writerId } = this.session.secrets;
    const uses = await new Rekeying(this.session).keysInUse();
    const lost = [...uses].filter(([id]) => !keyIds.includes(id)).map(([id, count]) => `${id} (${count} secrets)`);
    const old = [...uses.keys()].filter((id) => id !== writerId);
    if (lost.length > 0)
      return fail(
        'secret keys',
        `missing: ${lost.join(', ')}`,
        'Add these keys after the first key, then restart Landlord.',
      );
    if (old.length > 0)
      return warn(
        'secret keys',
        `${writerId} is the first key, but stored secrets use ${old.join(', ')}`,
        'Run: landlord rekey',
      );
    const idle = keyIds.filter((id) => id !== writerId);
    return ok('secret keys', `all secrets use ${writerId}${idle.length > 0 ? `; not needed: ${idle.join(', ')}` : ''}`);
  }
}

const sameRights = (actual: string[], expected: string[]): boolean =>
  actual.length === expected.length && actual.every((right) => expected.includes(right));
