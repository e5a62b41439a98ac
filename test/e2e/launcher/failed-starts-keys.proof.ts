import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { START_CAUSES, startText, type StartCauseName, type StartFacts } from '@libs/domain/starts';
import { ensureDatabase, stopDatabase } from '@libs/launcher';
import { Secrets } from '@libs/persistence';
import { migrate, seedInstallation, type Installation } from '@libs/persistence/migrations';
import { migrateQueue } from '@libs/queue';
import { AppProcess, createTestDatabase, freePorts, seedTestInstallation, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import { listenOn, PASSWORD, refusal, StartBench, withVersion } from './failed-start.fixture.js';

const aKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const KEYS = aKey('k1');

/** Stores a secret that these keys seal. */
async function storeSecret(databaseUrl: string, keys: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const row = randomBytes(4).toString('hex');
  const sealed = new Secrets(keys).seal({ table: 'certificate_authorities', column: 'private_key', row }, 'secret');
  const text = `insert into certificate_authorities (serial, certificate, private_key, not_before, not_after)
                values ($1, 'c', $2, now(), now())`;
  await client.query(text, [row, sealed]).finally(() => client.end());
}

describe('A start with keys that are lost', () => {
  let bench: StartBench;
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await seedTestInstallation(database.url);
    await storeSecret(database.url, KEYS);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    bench = await StartBench.open();
  });
  afterEach(() => bench.close());

  it('creates no new key for an installation in an external database (keys_missing)', async () => {
    const failed = await bench.fails('landlord', { DATABASE_URL: database.url });

    const file = join(bench.dataDir, 'secret-keys');
    expect(failed).toEqual(refusal('keys_missing', { file, use: ', and the stored secrets use the key k1' }));
    expect(bench.files()).toEqual([]);
  });

  it('creates no new key for an installation in the embedded database, and stops that database (keys_missing)', async () => {
    const { dataDir } = bench;
    const { url } = await ensureDatabase({ dataDir });
    await migrate(url, migrateQueue);
    await seedInstallation(url, { roleKey: Buffer.alloc(32, 1) });
    await stopDatabase({ dataDir });
    const before = bench.files().filter((name) => !name.startsWith('postgres/'));

    const failed = await bench.fails('landlord', {});

    expect(failed).toEqual(refusal('keys_missing', { file: join(dataDir, 'secret-keys'), use: '' }));
    expect(bench.files().filter((name) => !name.startsWith('postgres/'))).toEqual(before);
    expect(existsSync(join(dataDir, 'secret-keys'))).toBe(false);
  });

  it('refuses keys that open no stored secret, with another id or the same one (keys_wrong)', async () => {
    const facts = { given: 'k2', used: 'k1', source: 'LANDLORD_SECRET_KEYS' };

    const other = await bench.fails('landlord', { DATABASE_URL: database.url, LANDLORD_SECRET_KEYS: aKey('k2') });
    const same = await bench.fails('main-api', { DATABASE_URL: database.url, LANDLORD_SECRET_KEYS: aKey('k1') });

    expect(other).toEqual(refusal('keys_wrong', facts));
    expect(same).toEqual(refusal('keys_wrong', { ...facts, given: 'k1' }));
    expect(bench.files()).toEqual([]);
  });

  it('refuses a damaged key file, and leaves it as it is (keys_malformed)', async () => {
    const file = join(bench.home, 'keys');
    writeFileSync(file, 'k1:tooshort\n');

    const failed = await bench.fails('landlord', { DATABASE_URL: database.url, LANDLORD_SECRET_KEYS_FILE: file });

    expect(failed).toEqual(refusal('keys_malformed', { file }));
    expect(readFileSync(file, 'utf8')).toBe('k1:tooshort\n');
  });
});

describe('A start with a warning', () => {
  let bench: StartBench;
  let database: TestDatabase;
  let installation: Installation;
  let app: AppProcess | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    installation = await seedTestInstallation(database.url);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    bench = await StartBench.open();
  });
  afterEach(async () => {
    await app?.stop();
    bench.close();
  });

  /** Starts an app, which becomes ready, and returns its log. */
  const starts = async (name: 'main-api' | 'supervisor', env: Record<string, string>): Promise<string> => {
    const isMain = name === 'main-api';
    const url = `http://127.0.0.1:${isMain ? bench.ports.main : bench.ports.supervisor}`;
    const { main_api, supervisor } = installation.role_urls;
    const given = { DATABASE_URL: isMain ? main_api : supervisor, LANDLORD_SECRET_KEYS: KEYS, QUEUE_URL: 'off' };
    app = new AppProcess(name, url, { ...bench.settings, ...given, ...env }, bench.home);
    await app.start();
    return app.log();
  };
  const warning = <Cause extends StartCauseName>(cause: Cause, facts: StartFacts<Cause>): string =>
    JSON.stringify(startText(cause, facts)).slice(1, -1);

  it('uses a newer PostgreSQL (postgres_newer)', async () => {
    const newer = await withVersion(installation.role_urls.main_api, 19);

    const log = await starts('main-api', { DATABASE_URL: newer.url });
    await app?.stop();

    newer.close();
    expect(log).toMatch(
      /"level":40,.*has version 19\.\d\. This release is tested up to version 18\. Landlord starts\./,
    );
  });

  it('works without Redis (queue_away)', async () => {
    const [port = 0] = await freePorts(1);

    const log = await starts('main-api', { QUEUE_URL: `redis://:${PASSWORD}@127.0.0.1:${port}` });

    expect(log).toContain(warning('queue_away', { server: `127.0.0.1:${port}`, reason: 'connection refused' }));
    expect(log).not.toContain(PASSWORD);
  });

  it('works with a key that opens only a part of the secrets (keys_incomplete)', async () => {
    await storeSecret(database.url, aKey('k0'));
    await storeSecret(database.url, KEYS);

    const log = await starts('main-api', {});

    const unreadable = 'certificate_authorities.private_key (k0)';
    expect(log).toContain(warning('keys_incomplete', { unreadable }));
  });

  it('works without a free port for new nodes (node_ports_taken)', async () => {
    const range = await freePorts(2);
    const first = Math.min(...range);
    const taken = await listenOn([first, first + 1]);

    const log = await starts('supervisor', { LOCAL_PORT_RANGE: `${first}-${first + 1}` });

    taken.close();
    expect(log).toContain(warning('node_ports_taken', { range: `${first}-${first + 1}` }));
  });
});

describe('The list of causes', () => {
  it('has a test for each row', () => {
    const here = readdirSync(import.meta.dirname).filter((name) => name.startsWith('failed-starts'));
    const files = [...here.map((name) => join(import.meta.dirname, name)), 'libs/launcher/src/verbs/upgrade.proof.ts'];
    const titles = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bit\('.*\(([a-z_, ]+)\)'/g)].flatMap(([, causes = '']) =>
        causes.split(', '),
      ),
    );

    expect(Object.keys(START_CAUSES).filter((cause) => !titles.includes(cause))).toEqual([]);
  });
});
