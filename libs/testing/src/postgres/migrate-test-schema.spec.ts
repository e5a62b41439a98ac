import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { createTestDatabase } from './create-test-database.js';
import { migrateTestSchema, upgradeTestSchema } from './migrate-test-schema.js';
import { OwnDatabase } from './own-database.js';
import { DIRECTORY_VARIABLE, openTestPostgres, removeTestPostgres } from './test-postgres.mjs';

/** A later release, as far as these tests need it. */
const SCRIPT = `
import pg from 'pg';
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query('create table if not exists made_by_the_other (at timestamptz)');
await client.query('insert into made_by_the_other values (now())');
await client.end();
`;

describe('LANDLORD_TEST_SCHEMA', () => {
  let other: string;
  let directory: string;
  const ofTheRun = process.env[DIRECTORY_VARIABLE];

  beforeAll(() => {
    other = mkdtempSync(join(tmpdir(), 'landlord-other-'));
    mkdirSync(join(other, 'test/compat'), { recursive: true });
    writeFileSync(join(other, 'test/compat/migrate-schema.mjs'), SCRIPT);
    symlinkSync(resolve('node_modules'), join(other, 'node_modules'), 'dir');
    directory = openTestPostgres();
    process.env[DIRECTORY_VARIABLE] = directory;
    process.env['LANDLORD_TEST_SCHEMA'] = other;
  });
  afterAll(async () => {
    delete process.env['LANDLORD_TEST_SCHEMA'];
    process.env[DIRECTORY_VARIABLE] = ofTheRun;
    await removeTestPostgres(directory);
    rmSync(other, { recursive: true, force: true });
  });

  it('lets the other checkout migrate every test database, without own migrations', async () => {
    const database = await createTestDatabase();

    expect(await tables(database.url)).toEqual(['made_by_the_other']);
    await database.drop();
  });

  it('also applies to a separate PostgreSQL', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'landlord-own-'));
    const database = await OwnDatabase.start(dataDir);

    expect(await tables(database.url)).toEqual(['made_by_the_other']);
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('upgrades a filled database once more, and only when it is set', async () => {
    const database = await createTestDatabase();

    await upgradeTestSchema(database.url);
    process.env['LANDLORD_TEST_SCHEMA'] = '';
    await upgradeTestSchema(database.url);
    process.env['LANDLORD_TEST_SCHEMA'] = other;

    expect(await query(database.url, 'select at from made_by_the_other')).toHaveLength(2);
    await database.drop();
  });

  it('fails with the message of the other checkout', async () => {
    await expect(migrateTestSchema('postgres://nobody@127.0.0.1:1/none')).rejects.toThrow(/ECONNREFUSED/);
  });
});

async function tables(url: string): Promise<string[]> {
  const rows = await query(url, `select relname as name from pg_class where relnamespace = 'public'::regnamespace`);
  return rows.map(({ name }) => String(name));
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
