import { statement, type Statement } from '@libs/persistence';
import { InstallationRepository } from '@libs/persistence/platform';
import { appliedMigrations, serverFacts } from './diagnosis/database-facts.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** The data about the database that a backup contains. */
export interface BackupFacts {
  installation: string;
  timeline: number;
  /** Name of the newest migration. */
  schema: string;
  /** Version of PostgreSQL. */
  postgres: string;
}

const TABLES = statement(
  'backup.tables',
  `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' order by 1`,
);

/** The text of a row has every value, so the values outside of the page are read, too. `table`: quoted by PostgreSQL. */
const readOf = (table: string): Statement =>
  statement(`backup.read.${table}`, `select count(*)::int as rows, sum(length(t::text)) from ${table} t`);

/** Reads the facts for a backup, and records the backup for operators. */
export class BackupRecord {
  constructor(private readonly session: OperatorSession) {}

  /** @throws OperatorRefused for an empty database */
  async facts(): Promise<BackupFacts> {
    const { database } = this.session;
    const installation = await new InstallationRepository(database).find();
    if (!installation)
      throw new OperatorRefused('The database contains no installation. Start Landlord before you create a backup.');
    const schema = (await appliedMigrations(database)).at(-1) ?? '';
    const { version } = await serverFacts(database);
    return { installation: installation.name, timeline: installation.timeline, schema, postgres: version };
  }

  /** Records that a backup was made. */
  async record(directory: string, detail: object): Promise<void> {
    const { database, journal } = this.session;
    await database.transaction(() => journal.record({ verb: 'backup', subject: directory, detail }));
  }

  /** Reads each row of each table once, so that PostgreSQL reports a page that it cannot read. */
  async readAll(): Promise<{ tables: number; rows: number }> {
    const { database } = this.session;
    const names = await database.query<{ name: string }>(TABLES);
    let rows = 0;
    for (const { name } of names) rows += (await database.first<{ rows: number }>(readOf(name)))?.rows ?? 0;
    return { tables: names.length, rows };
  }
}
