import { spawn } from 'node:child_process';
import { createHmac, hkdfSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS } from '@libs/persistence/migrations';
import {
  ApiClient,
  AppProcess,
  freePorts,
  nextPortRange,
  OwnCluster,
  skippedSuite,
  systemPostgres,
} from '@libs/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { runLandlord, type Said } from './run-landlord.js';

/** The oldest version that docs/installation.md promises. */
const MAJOR = 15;
const programs = systemPostgres(MAJOR);
const describeWithOwnPostgres =
  programs === null
    ? skippedSuite(
        `PostgreSQL ${MAJOR} of the system with pg_dump is not installed`,
        `On Debian or Ubuntu: apt-get install postgresql-${MAJOR}`,
      )
    : describe;
/** The dump of an older release ends before this migration: `pg_restore` over a newer database once failed in its place. */
const OLDER_THAN = 'BootstrapExpiry1763683200092';
/** Asks for generic plans, which EXPLAIN shows since PostgreSQL 16. */
const OF_PLANS = 'query-plans';
const OWNER = 'lord';
const PASSWORD = 'the-password-of-the-owner';
const SUITE_MS = 10 * 60_000;

describeWithOwnPostgres(`A PostgreSQL ${MAJOR} of the operator`, () => {
  let cluster: OwnCluster;
  let directory: string;
  let settings: Record<string, string>;

  beforeAll(async () => {
    cluster = await OwnCluster.start(programs as NonNullable<typeof programs>);
    directory = mkdtempSync(join(tmpdir(), 'landlord-own-postgres-'));
    const [main, supervisor, gateway] = await freePorts(3);
    settings = {
      LANDLORD_DATA_DIR: join(directory, 'data'),
      // Does not exist yet: the first migration makes the keys.
      LANDLORD_SECRET_KEYS_FILE: join(directory, 'keys'),
      ...{ MAIN_API_PORT: String(main), SUPERVISOR_PORT: String(supervisor), GATEWAY_PORT: String(gateway) },
      ...{ LOCAL_PORT_RANGE: nextPortRange(), LOCAL_BROKER: 'embedded' },
    };
    await sql('postgres', `create role ${OWNER} login createrole createdb password '${PASSWORD}'`);
  }, SUITE_MS);
  afterAll(async () => {
    await cluster?.stop();
    if (directory) rmSync(directory, { recursive: true, force: true });
  });

  const urlOf = (database: string): string => cluster.url(database, OWNER, PASSWORD);
  const landlord = (database: string, ...args: string[]): Promise<Said> =>
    runLandlord({ ...settings, DATABASE_URL: urlOf(database) }, ...args);

  async function sql<Row extends pg.QueryResultRow>(database: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: cluster.url(database) });
    await client.connect();
    return client
      .query<Row>(text)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }
  const createDatabase = (name: string): Promise<unknown> => sql('postgres', `create database ${name} owner ${OWNER}`);

  /** A start or a command that must be refused in sentences. */
  function expectSentence({ code, output }: Said, exit: number, text: string): void {
    expect(output).toContain(text);
    expect(output).not.toMatch(/\n\s+at |QueryFailedError|Error:/);
    expect(code).toBe(exit);
  }

  /** Both apps with their own roles, as docs/installation.md starts them. */
  async function withApps<T>(database: string, work: (main: ApiClient, runtime: ApiClient) => Promise<T>): Promise<T> {
    const app = (name: 'main-api' | 'supervisor', port: string, role: string): AppProcess =>
      new AppProcess(
        name,
        `http://127.0.0.1:${settings[port]}`,
        { ...settings, DATABASE_URL: roleUrl(database, role) },
        directory,
      );
    const apps = [
      app('main-api', 'MAIN_API_PORT', 'landlord_main_api'),
      app('supervisor', 'SUPERVISOR_PORT', 'landlord_supervisor'),
    ];
    try {
      await Promise.all(apps.map((one) => one.start()));
      const { api_key = null } = bootstrap();
      return await work(new ApiClient(apps[0]?.url ?? '', api_key), new ApiClient(apps[1]?.url ?? '', api_key));
    } finally {
      await Promise.all(apps.map((one) => one.stop()));
    }
  }

  const bootstrap = (): Record<string, string> =>
    JSON.parse(readFileSync(join(directory, 'data/bootstrap.json'), 'utf8')) as Record<string, string>;

  /** `migrate` derives the passwords of the roles from the key. */
  function roleUrl(database: string, role: string): string {
    const keys = readFileSync(join(directory, 'keys'), 'utf8').trim();
    const key = Buffer.from(
      hkdfSync('sha256', Buffer.from(keys.slice('k1:'.length), 'base64'), '', 'landlord database roles', 32),
    );
    return cluster.url(database, role, createHmac('sha256', key).update(role).digest('base64url'));
  }

  /** The command of docs/operating.md. */
  async function dump(database: string): Promise<string> {
    const file = join(directory, `${database}.dump`);
    expect(await cluster.run('pg_dump', ['--format=custom', `--file=${file}`, urlOf(database)])).toEqual({
      code: 0,
      output: '',
    });
    return file;
  }

  /** The command of docs/operating.md, into an empty database. */
  async function restoreInto(database: string, file: string): Promise<void> {
    await createDatabase(database);
    const args = ['--no-owner', '--exit-on-error', '--dbname', urlOf(database), file];
    expect(await cluster.run('pg_restore', args)).toEqual({ code: 0, output: '' });
  }

  it('refuses apps on a database without schema or installation, in a sentence', async () => {
    await createDatabase('empty');
    const key = { LANDLORD_SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`, LANDLORD_SECRET_KEYS_FILE: '' };
    const refused = (name: string): Promise<Said> =>
      startAlone(name, { ...settings, ...key, DATABASE_URL: urlOf('empty') });
    for (const name of ['main-api', 'supervisor']) expectSentence(await refused(name), 75, 'Run landlord migrate');

    await migrateWithout('empty');

    for (const name of ['main-api', 'supervisor']) expectSentence(await refused(name), 75, 'has no installation yet');
    expect(existsSync(join(directory, 'keys'))).toBe(false);
  });

  it(
    'is migrated by a role that may create roles, makes the keys, and serves both apps',
    async () => {
      await createDatabase('landlord');

      const first = await landlord('landlord', 'migrate');
      const second = await landlord('landlord', 'migrate');

      expect([first.code, first.output]).toEqual([0, expect.stringContaining('has created a tenant')]);
      expect([second.code, second.output]).toEqual([0, 'The database is up to date.\n']);
      expect(readFileSync(join(directory, 'keys'), 'utf8')).toMatch(/^k1:[A-Za-z0-9+/]{43}=\n$/);
      const created = await withApps('landlord', async (main, runtime) => {
        expect((await runtime.get('/health/ready')).status).toBe(200);
        return main.post(`/tenants/${bootstrap()['tenant_id']}/divisions`, { name: 'Before the dump' });
      });
      expect(created.status).toBe(201);
    },
    SUITE_MS,
  );

  it(
    'is restored from its own dump into an empty database, as the guide says',
    async () => {
      await restoreInto('restored', await dump('landlord'));
      const before = await counts('landlord');
      expect(await counts('restored')).toEqual(before);

      expect((await landlord('restored', 'migrate')).output).toBe('The database is up to date.\n');
      const restored = await landlord('restored', 'restore', '--external');

      expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('landlord ops resume-destruction')]);
      const divisions = await withApps('restored', (main) =>
        main.get(`/tenants/${bootstrap()['tenant_id']}/divisions`),
      );
      expect(JSON.stringify(divisions.body)).toContain('Before the dump');
      expect(await sql('restored', 'select destruction_held_since is not null as held from installation')).toEqual([
        { held: true },
      ]);
    },
    SUITE_MS,
  );

  it(
    'is restored from the dump of an older release into an empty database',
    async () => {
      await restoreInto('older', await dump('landlord'));
      await makeOlder('older');
      await restoreInto('from_older', await dump('older'));

      const migrated = await landlord('from_older', 'migrate');
      const restored = await landlord('from_older', 'restore', '--external');

      expect([migrated.code, migrated.output]).toEqual([0, 'The database is up to date.\n']);
      expect(restored.code).toBe(0);
      const divisions = await withApps('from_older', (main) =>
        main.get(`/tenants/${bootstrap()['tenant_id']}/divisions`),
      );
      expect(JSON.stringify(divisions.body)).toContain('Before the dump');
    },
    SUITE_MS,
  );

  it(
    'refuses a dump of an older release over the tables of a newer one, and changes nothing',
    async () => {
      const older = join(directory, 'older.dump');
      const over = ['--clean', '--if-exists', '--no-owner', '--dbname', urlOf('restored'), older];
      expect((await cluster.run('pg_restore', over)).output).toContain('cannot drop');
      const before = await sql('restored', 'select name from migrations order by name');

      for (const command of [['migrate'], ['restore', '--external']])
        expectSentence(await landlord('restored', ...command), 78, 'which no migration that is recorded there created');

      expect(await sql('restored', 'select name from migrations order by name')).toEqual(before);
    },
    SUITE_MS,
  );

  it('refuses a database with tables of another program', async () => {
    await createDatabase('foreign_one');
    await sql('foreign_one', `set role ${OWNER}; create table users (id int)`);

    expectSentence(await landlord('foreign_one', 'migrate'), 78, 'has users, which no migration');

    expect(await sql('foreign_one', `select count(*)::int as n from pg_tables where schemaname = 'public'`)).toEqual([
      { n: 1 },
    ]);
  });

  it('accepts tables of the operator beside the tables of Landlord', async () => {
    await sql('landlord', `set role ${OWNER}; create table notes_of_the_operator (text text)`);

    expect((await landlord('landlord', 'migrate')).output).toBe('The database is up to date.\n');
  });

  it(
    'says what a role lacks when another role has created the roles of the apps',
    async () => {
      await sql(
        'postgres',
        `create role plain login createrole password '${PASSWORD}'; alter role landlord_main_api superuser`,
      );
      await sql('postgres', 'create database of_plain owner plain');
      const env = { ...settings, DATABASE_URL: cluster.url('of_plain', 'plain', PASSWORD) };

      const refused = await runLandlord(env, 'migrate').finally(() =>
        sql('postgres', 'alter role landlord_main_api nosuperuser'),
      );

      expectSentence(refused, 78, 'GRANT landlord_main_api TO "plain" WITH ADMIN OPTION;');
    },
    SUITE_MS,
  );

  it(
    'passes every test of the persistence library',
    async () => {
      // This file is part of a suite, and the child is not.
      const ofTheSuite = { TEST_SKIPS_FILE: undefined, TEST_INCLUDE: undefined };
      const env = { ...process.env, ...ofTheSuite, LANDLORD_TEST_SERVER: cluster.url('postgres') };
      const args = ['scripts/jest.mjs', 'libs/persistence', `--testPathIgnorePatterns=${OF_PLANS}`];
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += String(chunk)));
      const code = await new Promise((ended) => child.once('close', ended));

      expect([code, code === 0 ? '' : output.slice(-6_000)]).toEqual([0, '']);
    },
    SUITE_MS,
  );

  /** How many rows each table has. */
  async function counts(database: string): Promise<unknown> {
    return sql(
      database,
      `select relname, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from public.%I', relname), false, true, '')))[1]::text as n
         from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    );
  }

  /** The schema alone: no tenant, no roles. */
  async function migrateWithout(database: string): Promise<void> {
    const source = await new DataSource({
      type: 'postgres',
      url: urlOf(database),
      migrations: MIGRATIONS,
    }).initialize();
    await source.runMigrations({ transaction: 'each' }).finally(() => source.destroy());
    await sql(database, `set role ${OWNER}; select ensure_partitions()`);
  }

  /** Undoes migrations, as if an older release had migrated the database last. */
  async function makeOlder(database: string): Promise<void> {
    const source = await new DataSource({
      type: 'postgres',
      url: urlOf(database),
      migrations: MIGRATIONS,
    }).initialize();
    const newest = async (): Promise<string> => {
      const rows = await source.query<{ name: string }[]>('select name from migrations order by id desc limit 1');
      return rows[0]?.name ?? '';
    };
    try {
      while (isNewer(await newest())) await source.undoLastMigration();
    } finally {
      await source.destroy();
    }
  }

  /** The number at the end of the name is the order. */
  function isNewer(name: string): boolean {
    return Number(/\d+$/.exec(name)?.[0]) >= Number(/\d+$/.exec(OLDER_THAN)?.[0]);
  }
});

async function startAlone(name: string, env: Record<string, string>): Promise<Said> {
  const child = spawn(process.execPath, [`dist/apps/${name}/src/main.js`], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += String(chunk)));
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  return { code, output };
}
