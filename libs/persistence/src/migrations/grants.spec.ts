import { createTestDatabase, seedTestInstallation, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import { APP_ROLES } from './grants.js';
import { migrate } from './migrate.js';

/** That of every suite: the app roles belong to the whole server, and others may be using them now. */

describe('The rights of the app roles', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  it('are set right again by a migration of the release that the schema is of', async () => {
    await seedTestInstallation(database.url);
    await client.query(`grant insert on cells to ${APP_ROLES.main_api}`);

    await migrate(database.url);

    expect(await mainApiMay('insert')).toBe(false);
  });

  it('are left as a newer release gave them when an older one migrates or starts', async () => {
    await seedTestInstallation(database.url);
    await makeAhead();
    await client.query(`grant insert on cells to ${APP_ROLES.main_api}`);

    await migrate(database.url);
    await seedTestInstallation(database.url);

    expect(await mainApiMay('insert')).toBe(true);
  });

  it('are given to roles that have none, also on a schema that is ahead', async () => {
    await makeAhead();

    await seedTestInstallation(database.url);

    expect([await mainApiMay('select'), await mainApiMay('insert')]).toEqual([true, false]);
  });

  async function makeAhead(): Promise<void> {
    await client.query(`insert into migrations (timestamp, name) values (1763999999999, 'Tomorrow1763999999999')`);
  }

  async function mainApiMay(right: string): Promise<boolean> {
    const { rows } = await client.query<{ may: boolean }>(`select has_table_privilege($1, 'cells', $2) as may`, [
      APP_ROLES.main_api,
      right,
    ]);
    return rows[0]?.may ?? false;
  }
});
