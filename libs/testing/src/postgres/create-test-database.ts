import { randomBytes } from 'node:crypto';
import { ensureDatabase, type DatabaseHandle } from '@libs/launcher';
import pg from 'pg';
import { migrateTestSchema } from './migrate-test-schema.js';
import { DIRECTORY_VARIABLE } from './test-postgres.mjs';

/** The database of one suite. */
export interface TestDatabase {
  /** URL of a superuser. The schema is migrated, the tables are empty. */
  url: string;
  /** Cuts open connections and drops the database. */
  drop(): Promise<void>;
}

/** Rows of tests need no durability, no replica and no vacuum. */
const SETTINGS = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '4GB' },
  ...{ wal_level: 'minimal', max_wal_senders: '0', autovacuum: 'off' },
  // All apps of all workers, with the pools, queues and listeners of each.
  max_connections: '1000',
};
const TEMPLATE = 'template_landlord';
const TEMPLATE_LOCK = `hashtextextended('${TEMPLATE}', 0)`;

/**
 * Creates a migrated database in this run's PostgreSQL in less than a second. The first call of a run starts the server and
 * migrates the template. All workers share both. Needs the globalSetup of this folder.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await serverOfTheRun();
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asSuperuser(server, async (client) => {
    await ensureTemplate(server, client);
    await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  return testDatabaseAt(urlOf(server, name));
}

/** LANDLORD_TEST_SERVER is the superuser's URL of another PostgreSQL: the proof of another version sets it. */
async function serverOfTheRun(): Promise<Pick<DatabaseHandle, 'url'>> {
  const url = process.env['LANDLORD_TEST_SERVER'];
  return url === undefined ? ensureDatabase({ dataDir: runDirectory(), settings: SETTINGS }) : { url };
}

/** A database that another suite has created in this run's PostgreSQL. */
export function testDatabaseAt(url: string): TestDatabase {
  return { url, drop: () => drop(url) };
}

class TestPostgresMissing extends Error {
  constructor() {
    super(`${DIRECTORY_VARIABLE} is not set: run this suite with the globalSetup of libs/testing/src/postgres.`);
  }
}

/** The directory that all suites of this test run share. It is deleted with its processes at the end of the run. */
export function runDirectory(): string {
  const directory = process.env[DIRECTORY_VARIABLE];
  if (!directory) throw new TestPostgresMissing();
  return directory;
}

/**
 * Uses an advisory lock, because two workers may come first. Renames the database at the end, so that a partial template is
 * never used.
 */
async function ensureTemplate(server: Pick<DatabaseHandle, 'url'>, client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount) return;
    await client.query(`drop database if exists ${TEMPLATE}_draft with (force)`);
    await client.query(`create database ${TEMPLATE}_draft`);
    await migrateTestSchema(urlOf(server, `${TEMPLATE}_draft`));
    // Forbids connections to the template, because a single connection would prevent copies of it.
    await client.query(`alter database ${TEMPLATE}_draft with allow_connections false`);
    await client.query(`alter database ${TEMPLATE}_draft rename to ${TEMPLATE}`);
  } finally {
    await client.query(`select pg_advisory_unlock(${TEMPLATE_LOCK})`);
  }
}

async function drop(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await asSuperuser({ url }, (client) => client.query(`drop database if exists ${name} with (force)`));
}

async function asSuperuser<T>(
  server: Pick<DatabaseHandle, 'url'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: urlOf(server, 'postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(server: Pick<DatabaseHandle, 'url'>, database: string): string {
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return url.href;
}
