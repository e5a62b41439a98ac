import { createTestDatabase, type TestDatabase } from '@libs/testing';
import { checkDatabaseOfOwner, checkStoredSecrets } from './check-database.js';
import { databaseNames, databaseRefusal, withDatabase } from './connect-at-start.js';

const URL_OF = 'postgres://u:hunter2@db.example.com:5433/landlord';
const errorOf = (code: string, message = code): Error => Object.assign(new Error(message), { code });
const KEY = `k1:${'A'.repeat(43)}=`;

describe('An error of the database at the start', () => {
  it.each([
    ['ECONNREFUSED', 'database_away'],
    ['53300', 'database_away'],
    ['57P03', 'database_away'],
    ['08006', 'database_away'],
    ['EPIPE', 'database_away'],
    ['57014', 'database_away'],
    ['53100', 'database_disk_full'],
    ['58030', 'database_disk_full'],
    ['28P01', 'password_wrong'],
    ['28000', 'role_refused'],
    ['3D000', 'database_missing'],
    ['25006', 'database_read_only'],
    ['42501', 'rights_missing'],
    ['42601', undefined],
  ])('%s is %s', (code, cause) => {
    expect(databaseRefusal(URL_OF, errorOf(code))?.causeName).toBe(cause);
  });

  it('names the server without the password, also when a library repeats the password', () => {
    const refusal = databaseRefusal(URL_OF, errorOf('57P03', 'no answer for hunter2'));

    expect(databaseNames(URL_OF)).toEqual({ server: 'db.example.com:5433', role: 'u', database: 'landlord' });
    expect(refusal?.message).toMatch(
      /^PostgreSQL at db\.example\.com:5433 does not answer: no answer for \[password\]\./,
    );
  });
});

describe('The checks of a database before a start', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('accept a migrated database, and one of an older release without some sealed columns', async () => {
    expect(await checkDatabaseOfOwner(database.url)).toEqual({ hasInstallation: false, warnings: [] });
    await withDatabase(database.url, async (client) => {
      await client.query('drop table certificate_authorities cascade');
      await client.query('drop table installation cascade');
    });

    expect(await checkDatabaseOfOwner(database.url)).toEqual({ hasInstallation: false, warnings: [] });
    expect(await checkStoredSecrets(database.url, { keys: KEY, source: 'here' })).toEqual([]);
  });
});
