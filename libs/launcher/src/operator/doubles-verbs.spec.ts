import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, seedTestInstallation, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import { LauncherError } from '../launcher-error.js';

const MAIN = resolve('dist/libs/launcher/src/main.js');
const SECRET_KEYS = `k1:${Buffer.alloc(32).toString('base64')}`;

describe('landlord ops doubles list', () => {
  let database: TestDatabase;
  let sql: pg.Client;
  let tenantId: number;
  beforeAll(async () => {
    if (!existsSync(MAIN)) throw new LauncherError(`${MAIN} is missing: run "npm run build" first.`);
    database = await createTestDatabase();
    tenantId = (await seedTestInstallation(database.url)).tenant_id;
    sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql?.end();
    await database?.drop();
  });

  const list = async (...more: string[]): Promise<string> => {
    const env = { DATABASE_URL: database.url, LANDLORD_SECRET_KEYS: SECRET_KEYS };
    const args = [MAIN, 'ops', 'doubles', 'list', ...more];
    return (await promisify(execFile)(process.execPath, args, { env })).stdout;
  };

  it('says that there are none, or names place, form, ids and spellings with their invisible characters', async () => {
    expect(await list()).toBe('No doubles.\n');

    const { rows } = await sql.query<{ id: string }>(
      `insert into divisions (tenant_id, name) values ($1, 'Lab'), ($1, $2), ($1, 'Other') returning id`,
      [tenantId, 'La\u200bb'],
    );

    const [first, second, other] = rows.map(({ id }) => id);
    const [titles, line = '', ...rest] = (await list()).trimEnd().split('\n');
    expect(titles).toMatch(/^KIND +PLACE +COMPARED AS +IDS AND SPELLINGS, OLDEST FIRST$/);
    expect(line.split(/ {2,}/)).toEqual([
      'division',
      String(tenantId),
      'lab',
      `${first} "Lab", ${second} "La\\u{200b}b"`,
    ]);
    expect([rest, line.includes(`${other} `)]).toEqual([[], false]);
    expect(JSON.parse(await list('--json'))).toMatchObject([{ kind: 'division', rows: [{ spelling: 'Lab' }, {}] }]);
  });
});
