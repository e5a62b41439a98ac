import { OWNERSHIP, privileges, type OwnedTable, type WritingApp } from '@libs/persistence';
import { createTestDatabase, seedTestInstallation, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import { repositoryCalls, writesByMethod } from './sources/repository-writes.js';
import { writesOf } from './sources/sql-writes.js';
import { sourcesUnder } from './sources/sources.js';

/** One key for all suites: the app roles belong to the whole database server, and other suites may use them now. */
const APPS: WritingApp[] = ['main_api', 'supervisor'];
const VERBS = ['select', 'insert', 'update', 'delete', 'truncate'] as const;
type Verb = (typeof VERBS)[number];
const TABLES = Object.keys(OWNERSHIP).sort() as OwnedTable[];

describe('every table', () => {
  let database: TestDatabase;
  let superuser: pg.Client;
  const apps = {} as Record<WritingApp, pg.Client>;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { role_urls } = await seedTestInstallation(database.url);
    superuser = await connect(database.url);
    for (const app of APPS) apps[app] = await connect(role_urls[app]);
  });
  afterAll(async () => {
    await Promise.all([superuser, ...Object.values(apps)].map((client) => client?.end()));
    await database?.drop();
  });

  it('has an owner, and every owner in the list has a table', async () => {
    const { rows } = await superuser.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    );

    expect(rows.map(({ name }) => name)).toEqual(TABLES);
  });

  it.each(APPS)('gives %s exactly the rights in the list', async (app) => {
    const found: Record<string, string[]> = {};
    for (const table of TABLES) found[table] = await rightsOf(apps[app], table, await writableColumn(superuser, table));

    const listed = Object.fromEntries(TABLES.map((table) => [table, privileges(table, app)]));
    expect(found).toEqual(listed);
  });

  it.each(APPS)('is created by migrations, and cannot be created by %s', async (app) => {
    const attempt = apps[app].query('create table mine (id int)');

    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  });

  it.each(APPS)('has partitions that %s cannot use directly', async (app) => {
    const { rows } = await apps[app].query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relispartition and relkind in ('r', 'p')
          and has_table_privilege(oid, 'select, insert, update, delete, truncate')`,
    );

    expect(rows).toEqual([]);
  });
});

/**
 * This check reads the sources, so it has gaps: it finds calls that name their repository, and SQL in string literals.
 * The database refuses all other writes, because the end-to-end tests run the apps with their own roles, whose rights
 * are tested above.
 */
describe('every statement that writes', () => {
  const mayRun = (app: WritingApp, { table, verb }: { table: string; verb: string }): boolean =>
    table in OWNERSHIP && privileges(table as OwnedTable, app).includes(verb);
  const offenders = (folders: string[], isFine: (writes: ReturnType<typeof writesOf>) => boolean): string[] =>
    sourcesUnder(...folders).filter((path) => !/\/migrations\//.test(path) && !isFine(writesOf(path)));

  it.each([
    ['main-api', 'main_api'],
    ['supervisor', 'supervisor'],
  ] as const)('of %s changes a table that it may write', (folder, app) => {
    expect(offenders([`apps/${folder}/src`], (writes) => writes.every((write) => mayRun(app, write)))).toEqual([]);
  });

  it.each([
    ['main-api', 'main_api'],
    ['supervisor', 'supervisor'],
  ] as const)('of a repository that %s calls changes a table that it may write', (folder, app) => {
    const writes = writesByMethod();
    const calls = sourcesUnder(`apps/${folder}/src`).flatMap((path) =>
      repositoryCalls(path).flatMap((call) => (writes.get(call) ?? []).map((write) => ({ path, call, ...write }))),
    );

    expect(calls.length).toBeGreaterThan(3);
    expect(calls.filter((call) => !mayRun(app, call))).toEqual([]);
  });

  it('of a repository is allowed for at least one app', () => {
    const isForOne = (writes: ReturnType<typeof writesOf>): boolean =>
      APPS.some((app) => writes.every((write) => mayRun(app, write)));

    expect(sourcesUnder('libs/persistence/src').flatMap(writesOf).length).toBeGreaterThan(15);
    expect(offenders(['libs/persistence/src'], isForOne)).toEqual([]);
  });

  it('of a library that both apps run changes a table that both may write', () => {
    const folders = ['access', 'http', 'ledger', 'operations', 'queue', 'workflow'].map((name) => `libs/${name}/src`);

    const found = offenders(folders, (writes) => writes.every((write) => APPS.every((app) => mayRun(app, write))));

    expect(found).toEqual([]);
  });
});

/**
 * Tries each verb in a transaction that is rolled back. An error other than a missing right occurs after the check of
 * rights.
 */
async function rightsOf(client: pg.Client, table: OwnedTable, column: string): Promise<Verb[]> {
  const attempts: Record<Verb, string> = {
    select: `select from ${table} where false`,
    insert: `insert into ${table} default values`,
    update: `update ${table} set ${column} = ${column} where false`,
    delete: `delete from ${table} where false`,
    truncate: `truncate ${table}`,
  };
  const allowed: Verb[] = [];
  for (const verb of VERBS) if (await isAllowed(client, attempts[verb])) allowed.push(verb);
  return allowed;
}

async function isAllowed(client: pg.Client, statement: string): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== '42501';
  } finally {
    await client.query('rollback');
  }
}

async function writableColumn(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER' limit 1`,
    [table],
  );
  return rows[0]?.name ?? '';
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
