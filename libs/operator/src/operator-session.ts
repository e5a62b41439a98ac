import { CatalogInvalid, loadCatalog, type Catalog } from '@libs/catalog';
import { Ledger } from '@libs/ledger';
import { Database, dataSourceOptions, SchemaCheck, Secrets, SecretUnreadable } from '@libs/persistence';
import { RELEASE_MIGRATIONS } from '@libs/persistence/migrations';
import { LedgerRepository } from '@libs/persistence/ledger';
import { InstallationRepository } from '@libs/persistence/platform';
import { DataSource } from 'typeorm';
import { appliedMigrations } from './diagnosis/database-facts.js';
import { OperatorJournal } from './operator-journal.js';
import { OperatorRefused } from './operator-refused.js';

export interface SessionOptions {
  /** URL of a role that can write every table: the superuser of the embedded database, or the owner of an external one. */
  databaseUrl: string;
  /** `LANDLORD_SECRET_KEYS`. */
  secretKeys: string;
  /** The recorded operator: `user@host`. */
  operator: string;
  /** `CATALOG_FILE`. Default: the built-in catalog. */
  catalogFile?: string;
}

/** Names of this release's migrations, oldest first. */
export const RELEASE_SCHEMA = RELEASE_MIGRATIONS;

const CONNECTIONS = 3;

/** The session for the operator's commands. Open it, use it, close it. */
export class OperatorSession {
  private constructor(
    private readonly source: DataSource,
    readonly database: Database,
    readonly secrets: Secrets,
    readonly journal: OperatorJournal,
    readonly catalog: Catalog,
  ) {}

  /** Connects to a database with any schema. @throws OperatorRefused when the database is unreachable */
  static async connect({ databaseUrl, secretKeys, operator, catalogFile }: SessionOptions): Promise<OperatorSession> {
    const { secrets, catalog } = refusing(() => ({
      secrets: new Secrets(secretKeys),
      catalog: loadCatalog(catalogFile),
    }));
    const options = { databaseUrl, secretKeys, applicationName: 'landlord-operator', poolSize: CONNECTIONS };
    const source = new DataSource(dataSourceOptions(options));
    try {
      await source.initialize();
    } catch (cause) {
      const { host } = new URL(databaseUrl);
      throw new OperatorRefused(`The database at ${host} is not reachable: ${(cause as Error).message}`, { cause });
    }
    const database = new Database(source);
    const ledger = new Ledger(database, new LedgerRepository(database), { daysByPlan: catalog.auditDaysByPlan() });
    return new OperatorSession(source, database, secrets, new OperatorJournal(database, ledger, operator), catalog);
  }

  /** Connects and checks the schema. @throws OperatorRefused also when this release cannot run on the schema */
  static async open(options: SessionOptions): Promise<OperatorSession> {
    const session = await OperatorSession.connect(options);
    try {
      await session.requireSchema();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** The name of the installation, which its resources have as a tag. @throws OperatorRefused for an empty database */
  async installationName(): Promise<string> {
    const installation = await new InstallationRepository(this.database).find();
    if (installation) return installation.name;
    throw new OperatorRefused('The database contains no installation. Start Landlord once.');
  }

  async close(): Promise<void> {
    await this.source.destroy();
  }

  private async requireSchema(): Promise<void> {
    const applied = new Set(await appliedMigrations(this.database).catch((): string[] => []));
    const missing = RELEASE_SCHEMA.filter((name) => !applied.has(name));
    if (missing.length > 0)
      throw new OperatorRefused(
        `The schema of the database is older than this release (missing migrations: ${missing.join(', ')}). Run: landlord migrate`,
      );
    const problem = await new SchemaCheck(this.database).problem();
    if (problem !== null) throw new OperatorRefused(problem);
  }
}

/** Turns problems of the configuration into OperatorRefused with the same message. */
function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CatalogInvalid || error instanceof SecretUnreadable)) throw error;
    throw new OperatorRefused(error.message, { cause: error });
  }
}
