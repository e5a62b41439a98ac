import { statement, type Database } from '@libs/persistence';

/** The server, and its use. */
export interface ServerFacts {
  version: string;
  max_connections: number;
  connections: number;
  /** Seconds since 1970. */
  clock: number;
}

const SERVER = statement(
  'health.server',
  `select current_setting('server_version') as version, current_setting('max_connections')::int as max_connections,
          (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
          extract(epoch from clock_timestamp())::float8 as clock`,
);
const SCHEMA = statement('health.schema', 'select name from migrations order by timestamp');
export async function serverFacts(database: Database): Promise<ServerFacts> {
  const [row] = await database.query<ServerFacts>(SERVER);
  return row ?? { version: '', max_connections: 0, connections: 0, clock: 0 };
}

/** Names of the applied migrations, oldest first. */
export async function appliedMigrations(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(SCHEMA);
  return rows.map(({ name }) => name);
}
