import { randomBytes } from 'node:crypto';
import { createTestDatabase, freePorts, seedTestInstallation, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import { listenOn, PASSWORD, refusal, StartBench, withVersion } from './failed-start.fixture.js';

const KEYS = `k1:${randomBytes(32).toString('base64')}`;

describe('A start with a database that cannot be used', () => {
  let bench: StartBench;
  let database: TestDatabase;
  const role = `failing_${randomBytes(4).toString('hex')}`;
  const server = () => new URL(database.url).host;
  const name = () => new URL(database.url).pathname.slice(1);

  const sql = async (text: string, url = database.url): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  /** The address of the database, with other parts. */
  const urlWith = (parts: { user?: string; password?: string; database?: string }): string => {
    const url = new URL(database.url);
    url.username = parts.user ?? role;
    url.password = parts.password ?? PASSWORD;
    url.pathname = `/${parts.database ?? name()}`;
    return url.href;
  };
  const fails = (url: string) => bench.fails('landlord', { DATABASE_URL: url });

  beforeAll(async () => {
    database = await createTestDatabase();
    await seedTestInstallation(database.url);
    await sql(`create role ${role} login password '${PASSWORD}'`);
  });
  afterAll(async () => {
    await sql(`drop owned by ${role}; drop role ${role}`);
    await database.drop();
  });
  beforeEach(async () => {
    bench = await StartBench.open();
  });
  afterEach(() => bench.close());

  it('names the server that is away, for the launcher and for an app (database_away)', async () => {
    const [port = 0] = await freePorts(1);
    const url = `postgres://u:${PASSWORD}@127.0.0.1:${port}/landlord`;
    const text = refusal('database_away', { server: `127.0.0.1:${port}`, reason: 'connection refused' });

    expect(await fails(url)).toEqual(text);
    expect(bench.files()).toEqual([]);
    expect(await bench.fails('main-api', { DATABASE_URL: url, LANDLORD_SECRET_KEYS: KEYS })).toEqual(text);
    expect(await bench.fails('supervisor', { DATABASE_URL: url, LANDLORD_SECRET_KEYS: KEYS })).toEqual(text);
  });

  it('names an unknown host, and a port where no PostgreSQL answers (database_away)', async () => {
    const silent = await listenOn([0], (socket) =>
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').on('error', () => {}),
    );

    const [unknown, foreign] = [
      await fails(`postgres://u:${PASSWORD}@nowhere.invalid/landlord`),
      await fails(`postgres://u:${PASSWORD}@127.0.0.1:${silent.ports[0]}/landlord`),
    ];

    silent.close();
    expect(unknown.said).toMatch(
      /^PostgreSQL at nowhere\.invalid:5432 does not answer: the host name .*\. Start PostgreSQL/,
    );
    expect(foreign.said).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+ does not answer: .*\. Start PostgreSQL/);
    expect([unknown.code, foreign.code]).toEqual([75, 75]);
  });

  it('says the same for a wrong password, no password and an unknown role (password_wrong)', async () => {
    await sql(`alter role ${role} password 'another'`);

    const wrong = await fails(urlWith({}));
    const none = await fails(urlWith({ password: '' }));
    const unknown = await fails(urlWith({ user: 'nobody_knows' }));
    await sql(`alter role ${role} password '${PASSWORD}'`);

    expect(wrong).toEqual(refusal('password_wrong', { server: server(), role }));
    expect(none).toEqual(refusal('password_wrong', { server: server(), role }));
    expect(unknown).toEqual(refusal('password_wrong', { server: server(), role: 'nobody_knows' }));
  });

  it('repeats the reason of PostgreSQL for a role that may not connect (role_refused)', async () => {
    await sql(`alter role ${role} nologin`);
    const nologin = await fails(urlWith({}));
    await sql(`alter role ${role} login; revoke connect on database ${name()} from public`);
    const closed = await fails(urlWith({}));
    await sql(`grant connect on database ${name()} to public`);

    const facts = { server: server(), role, database: name() };
    expect(nologin).toEqual(refusal('role_refused', { ...facts, reason: `role "${role}" is not permitted to log in` }));
    expect(closed).toEqual(refusal('role_refused', { ...facts, reason: `permission denied for database "${name()}"` }));
  });

  it('names the statement that creates the database (database_missing)', async () => {
    const failed = await fails(urlWith({ database: 'no_such_database' }));

    expect(failed).toEqual(refusal('database_missing', { server: server(), role, database: 'no_such_database' }));
    expect(failed.said).toContain(`CREATE DATABASE "no_such_database" OWNER "${role}";`);
  });

  it('refuses an old PostgreSQL before it changes anything (postgres_older)', async () => {
    const old = await withVersion(database.url, 14);

    const failed = await fails(old.url);

    old.close();
    expect(failed.said).toMatch(/^PostgreSQL at \S+ has version 14\.\d\. Landlord needs version 15 or later\. Upgrade/);
    expect(failed.code).toBe(78);
  });

  it('refuses a database that accepts no changes (database_read_only)', async () => {
    await sql(`alter role ${role} set default_transaction_read_only = on`);

    const failed = await fails(urlWith({}));

    await sql(`alter role ${role} reset default_transaction_read_only`);
    expect(failed).toEqual(refusal('database_read_only', { server: server(), role }));
  });

  it('lists the missing rights with the statements that grant them, and accepts the role after them (rights_missing)', async () => {
    const empty = `empty_${role}`;
    await sql(`create database ${empty}`);
    const failed = await fails(urlWith({ database: empty }));
    const grants = failed.said.split('Run as a superuser: ')[1] ?? '';
    await sql(grants, urlWith({ user: 'landlord', password: new URL(database.url).password, database: empty }));

    // The keys are the next check after the rights: a file that cannot be made ends the start there.
    const migrated = await bench.fails('landlord', {
      DATABASE_URL: urlWith({ database: empty }),
      LANDLORD_SECRET_KEYS_FILE: `${bench.home}/none/keys`,
    });

    await sql(`drop database ${empty} with (force)`);
    expect(failed).toEqual(
      refusal('rights_missing', {
        ...{ server: server(), role, database: empty },
        rights: `CREATE on schema public, CREATE on database ${empty}`,
        grants: `Run as a superuser: GRANT USAGE, CREATE ON SCHEMA "public" TO "${role}"; GRANT CREATE ON DATABASE "${empty}" TO "${role}";`,
      }),
    );
    const reason = 'this file system cannot contain it';
    expect(migrated).toEqual(refusal('data_directory_impossible', { path: `${bench.home}/none/keys`, reason }));
  });

  it('names the owner of tables that the launcher may not change, and the tables that an app may not read (rights_missing)', async () => {
    await sql(`grant create on database ${name()} to ${role}; grant create on schema public to ${role}`);

    const foreign = await fails(urlWith({}));
    const app = await bench.fails('main-api', { DATABASE_URL: urlWith({}), LANDLORD_SECRET_KEYS: KEYS });

    expect(foreign.said).toContain('the tables belong to the role landlord. Run as a superuser: GRANT "landlord" TO');
    expect(app.said).toMatch(/lacks rights in the database .*: .*select on \w+.* Run landlord migrate/);
    expect([foreign.code, app.code]).toEqual([78, 78]);
  });

  /** An empty database for one test, with the address of its superuser. */
  async function withEmpty(
    work: (url: string, facts: { database: string; server: string }) => Promise<void>,
  ): Promise<void> {
    const empty = `empty_${randomBytes(4).toString('hex')}`;
    await sql(`create database ${empty}`);
    const url = urlWith({ user: 'landlord', password: new URL(database.url).password, database: empty });
    await work(url, { database: empty, server: server() }).finally(() => sql(`drop database ${empty} with (force)`));
  }

  it('refuses tables that no recorded migration created, and leaves them (database_mixed)', () =>
    withEmpty(async (url, facts) => {
      await sql('create table users (id int); create table nodes (id int, bootstrap_expires_at timestamptz)', url);

      const failed = await fails(url);

      const objects = 'nodes, nodes.bootstrap_expires_at, users';
      expect(failed).toEqual(refusal('database_mixed', { ...facts, objects }));
      await expect(sql('select from migrations', url)).rejects.toThrow('does not exist');
    }));

  it('repeats the reason of PostgreSQL for a refused migration (migration_failed)', () =>
    withEmpty(async (url, facts) => {
      await sql(refusing('P0001', 'no tables on Sundays'), url);

      expect(await fails(url)).toEqual(refusal('migration_failed', { ...facts, reason: 'no tables on Sundays' }));
    }));

  it('names the server whose disk is full, during a migration (database_disk_full)', () =>
    withEmpty(async (url) => {
      const reason = 'could not extend file "base/1/2": No space left on device';
      await sql(refusing('53100', reason), url);

      expect(await fails(url)).toEqual(refusal('database_disk_full', { server: server(), reason }));
    }));

  it('refuses an app on a database without an installation (not_installed)', async () => {
    const bare = await createTestDatabase();
    for (const app of ['main-api', 'supervisor'] as const) {
      const failed = await bench.fails(app, { DATABASE_URL: bare.url, LANDLORD_SECRET_KEYS: KEYS });
      expect(failed).toEqual(
        refusal('not_installed', { database: new URL(bare.url).pathname.slice(1), server: server() }),
      );
    }
    await bare.drop();
  });

  it('refuses the schema of a newer release, and an app refuses an older one (schema_newer, schema_older)', async () => {
    await sql(`insert into schema_requirements values ('Tomorrow1763683209999', 'a column went')`);
    const newer = await fails(database.url);
    const app = await bench.fails('supervisor', { DATABASE_URL: database.url, LANDLORD_SECRET_KEYS: KEYS });
    await sql(`delete from schema_requirements where migration like 'Tomorrow%'; drop table migrations`);
    const older = await bench.fails('main-api', { DATABASE_URL: database.url, LANDLORD_SECRET_KEYS: KEYS });

    expect(newer).toEqual(refusal('schema_newer', { migrations: 'Tomorrow1763683209999' }));
    expect(app).toEqual(newer);
    expect(older).toEqual(refusal('schema_older', { migrations: 'it is empty' }));
  });
});

/** PostgreSQL refuses to create a table, with this SQLSTATE. */
const refusing = (state: string, message: string): string =>
  `create function refuse() returns event_trigger language plpgsql as
     $$ begin raise exception using errcode = '${state}', message = '${message}'; end $$;
   create event trigger refusing on ddl_command_start when tag in ('CREATE TABLE') execute function refuse()`;
