import pg from 'pg';
import { readFileIfAnySync } from '@libs/host/os';
import type { ClusterFiles } from './cluster-files.js';
import { SUPERUSER } from './create-cluster.js';

/** The name of Landlord's database. */
export const DATABASE = 'landlord';

/** The superuser's URL of a database of this cluster. */
export function superuserUrl(files: ClusterFiles, port: number, database: string = DATABASE): string {
  const password = encodeURIComponent(readFileIfAnySync(files.password) ?? '');
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}

/** Runs one statement on its own connection. Throws the error of pg. */
export async function runStatement(url: string, statement: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 30_000 });
  // Without a listener an error between two statements would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.query(statement, values);
  } finally {
    await client.end();
  }
}
