import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabase } from '@libs/launcher';
import pg from 'pg';
import { createTestDatabase } from './create-test-database.js';
import { removeLeftovers, removeTestPostgres } from './test-postgres.mjs';

async function query(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('a test database', () => {
  it('is migrated, empty, and separate from all others', async () => {
    const first = await createTestDatabase();
    const second = await createTestDatabase();

    await query(first.url, 'create table mine as select 1 as one');

    await expect(query(second.url, 'select * from mine')).rejects.toThrow(/does not exist/);
    expect((await query(second.url, 'select count(*)::int as n from tenants')).rows).toEqual([{ n: 0 }]);
    expect((await query(second.url, `select to_regclass('bullmq.job') is not null as there`)).rows).toEqual([
      { there: true },
    ]);
    await Promise.all([first.drop(), second.drop()]);
    await expect(query(first.url, 'select 1')).rejects.toThrow(/does not exist/);
  });

  it('can be created concurrently, and dropped with open connections', async () => {
    const databases = await Promise.all(Array.from({ length: 5 }, () => createTestDatabase()));
    const client = new pg.Client({ connectionString: databases[0]?.url ?? '' });
    client.on('error', () => undefined);
    await client.connect();

    await Promise.all(databases.map((database) => database.drop()));

    expect(new Set(databases.map((database) => database.url)).size).toBe(5);
    await client.end().catch(() => undefined);
  });
});

describe('leftovers of test runs', () => {
  it('are stopped and deleted when their run is dead', async () => {
    const dead = spawn('true');
    await once(dead, 'exit');
    const leftover = mkdtempSync(join(tmpdir(), `landlord-jest-postgres-${dead.pid}-`));
    const { url } = await ensureDatabase({ dataDir: leftover });

    await removeLeftovers();

    expect(existsSync(leftover)).toBe(false);
    await expect(query(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('are kept while their run is alive', async () => {
    const mine = process.env['LANDLORD_TEST_POSTGRES'] ?? '';

    await removeLeftovers();

    expect(existsSync(mine)).toBe(true);
  });

  it('are deleted where PostgreSQL never ran', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'landlord-test-place-'));
    mkdirSync(join(directory, 'logs'));

    await removeTestPostgres(directory);

    expect(readdirSync(tmpdir())).not.toContain(directory.split('/').at(-1));
  });
});
