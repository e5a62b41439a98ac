import { StartRefused, startText } from '@libs/domain/starts';
import type pg from 'pg';
import type { DatabaseNames } from './connect-at-start.js';

/** The oldest major version that the PostgreSQL project maintains. The whole schema works there. */
export const LEAST_POSTGRES = 15;
/** The version of the embedded PostgreSQL, with which all tests run. */
export const MOST_POSTGRES = 18;

interface Server {
  number: number;
  version: string;
  is_read_only: boolean;
}

/**
 * Checks the version of the server, and that it accepts changes. Returns warnings.
 * @throws StartRefused
 */
export async function checkServer(client: pg.Client, names: DatabaseNames): Promise<string[]> {
  // Only functions that every version has: an old server must not fail with another error.
  const { rows } = await client.query<Server>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
            pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`,
  );
  const [{ number, version, is_read_only }] = rows as [Server];
  const [major, facts] = [Math.floor(number / 10_000), { server: names.server, version: version.split(' ')[0] ?? '' }];
  if (major < LEAST_POSTGRES) throw StartRefused.because('postgres_older', { ...facts, least: String(LEAST_POSTGRES) });
  if (is_read_only) throw StartRefused.because('database_read_only', { server: names.server, role: names.role });
  return major > MOST_POSTGRES ? [startText('postgres_newer', { ...facts, most: String(MOST_POSTGRES) })] : [];
}
