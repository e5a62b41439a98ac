import { StartRefused } from '@libs/domain/starts';
import type pg from 'pg';
import { leftOverObjects } from '../migrations/left-over-objects.js';
import type { WritingApp } from '../ownership.js';
import { SchemaCheck } from '../schema-check.js';
import { checkAppRights, checkOwnerRights } from './check-rights.js';
import { checkKeys, type KeySource } from './check-keys.js';
import { checkServer } from './check-server.js';
import { databaseNames, withDatabase, type DatabaseNames } from './connect-at-start.js';

/** Containers of apps start at the same time as their database. */
const PATIENCE_MS = 5_000;
const NOT_MIGRATED = '42P01';

/**
 * Everything that an app needs of the database, before it starts: connection, version, schema, rights and keys. Returns
 * warnings. @throws StartRefused
 */
export async function checkDatabaseOfApp(
  databaseUrl: string,
  { app, ...source }: KeySource & { app: WritingApp },
): Promise<string[]> {
  const names = databaseNames(databaseUrl);
  return withDatabase(
    databaseUrl,
    async (client) => {
      const warnings = await checkServer(client, names);
      // Without rights the schema cannot be read.
      await checkAppRights(client, names, app);
      await checkSchema(client);
      if (!(await hasInstallation(client))) throw StartRefused.because('not_installed', { ...names });
      return [...warnings, ...(await checkKeys(client, source))];
    },
    PATIENCE_MS,
  );
}

/**
 * Everything that the launcher needs of the database, before it changes anything. Returns whether there is an installation, and
 * warnings. @throws StartRefused
 */
export async function checkDatabaseOfOwner(
  databaseUrl: string,
): Promise<{ hasInstallation: boolean; warnings: string[] }> {
  const names = databaseNames(databaseUrl);
  return withDatabase(databaseUrl, async (client) => {
    const warnings = await checkServer(client, names);
    // Without rights the schema cannot be read.
    await checkOwnerRights(client, names);
    await refuseNewerSchema(client);
    await refuseMixedSchema(client, names);
    return { hasInstallation: await hasInstallation(client), warnings };
  });
}

/** Checks the keys of an existing installation. Returns warnings. @throws StartRefused */
export async function checkStoredSecrets(databaseUrl: string, source: KeySource): Promise<string[]> {
  return withDatabase(databaseUrl, (client) => checkKeys(client, source));
}

async function checkSchema(client: pg.Client): Promise<void> {
  const compared = await schemaCheck(client).compare();
  if (compared === null) throw StartRefused.because('schema_older', { migrations: 'it is empty' });
  const { missing, unknown } = compared;
  if (missing.length > 0)
    throw StartRefused.because('schema_older', { migrations: `${missing.join(', ')} is missing` });
  if (unknown.length > 0) throw StartRefused.because('schema_newer', { migrations: unknown.join(', ') });
}

/** The launcher migrates an older schema. */
async function refuseNewerSchema(client: pg.Client): Promise<void> {
  const unknown = (await schemaCheck(client).compare())?.unknown ?? [];
  if (unknown.length > 0) throw StartRefused.because('schema_newer', { migrations: unknown.join(', ') });
}

const SHOWN = 5;

/** The migrations would fail on what is there already, or the data would be of two releases. */
async function refuseMixedSchema(client: pg.Client, names: DatabaseNames): Promise<void> {
  const objects = await leftOverObjects(client);
  if (objects.length === 0) return;
  const rest = objects.length > SHOWN ? ` and ${objects.length - SHOWN} more` : '';
  throw StartRefused.because('database_mixed', { ...names, objects: `${objects.slice(0, SHOWN).join(', ')}${rest}` });
}

async function hasInstallation(client: pg.Client): Promise<boolean> {
  try {
    return (await client.query('select from installation')).rowCount !== 0;
  } catch (error) {
    if ((error as { code?: string }).code === NOT_MIGRATED) return false;
    throw error;
  }
}

/** The schema check of the apps, on one connection. */
function schemaCheck(client: pg.Client): SchemaCheck {
  return new SchemaCheck({
    query: async <Row>({ text }: { text: string }, values: unknown[] = []) =>
      (await client.query(text, values)).rows as Row[],
  });
}
