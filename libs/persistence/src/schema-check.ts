import { statement, type Database } from './database.js';
import { RELEASE_MIGRATIONS } from './migrations/migrate.js';

/** This release cannot run on the schema of the database. The message contains the action to take. */
export class SchemaRefused extends Error {
  override name = 'SchemaRefused';
}

const COMPARE = statement(
  'schema.compare',
  `select array(select known from unnest($1::text[]) as known where known not in (select name from migrations)) as missing,
          array(select migration from schema_requirements where migration <> all($1::text[]) order by since) as unknown`,
);
const NO_SUCH_TABLE = '42P01';

/**
 * Checks whether an app of this release can run on the schema of the database. The app refuses an older schema. It accepts a
 * newer schema if this release has every migration that the schema lists as required.
 */
export class SchemaCheck {
  /** `known`: names of the migrations that the release has. Default: those of this release. */
  constructor(
    private readonly database: Pick<Database, 'query'>,
    private readonly migrations: readonly string[] = RELEASE_MIGRATIONS,
  ) {}

  /** Returns the problem and the action that fixes it, or null. Rejects when the database does not respond. */
  async problem(): Promise<string | null> {
    const compared = await this.compare();
    if (compared === null)
      return 'the schema of the database is behind this release, or there is none: run landlord migrate';
    const { missing, unknown } = compared;
    if (missing.length > 0)
      return `the schema of the database is behind this release (${missing.join(', ')} is missing): run landlord migrate`;
    if (unknown.length > 0)
      return `the schema of the database is too new for this release (it asks for ${unknown.join(', ')}): run a newer release`;
    return null;
  }

  /** @throws SchemaRefused */
  async require(): Promise<void> {
    const problem = await this.problem();
    if (problem !== null) throw new SchemaRefused(problem);
  }

  /**
   * `missing`: migrations of this release that the schema lacks. `unknown`: migrations that the schema asks for. Null when a
   * table is missing that every release has.
   */
  async compare(): Promise<{ missing: string[]; unknown: string[] } | null> {
    try {
      const [row] = await this.database.query<{ missing: string[]; unknown: string[] }>(COMPARE, [this.migrations]);
      return row ?? null;
    } catch (error) {
      if ((error as { code?: string }).code === NO_SUCH_TABLE) return null;
      throw error;
    }
  }
}
