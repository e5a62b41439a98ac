import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createTestDatabase, seedTestInstallation, type TestDatabase } from '@libs/testing';
import pg from 'pg';
import { LauncherError } from '../launcher-error.js';

const MAIN = resolve('dist/libs/launcher/src/main.js');
const SCRIPT = resolve('apps/supervisor/src/gateway/machines/join.sh');
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

describe('landlord machines', () => {
  let folder: string;
  let database: TestDatabase;
  let sql: pg.Client;
  beforeAll(async () => {
    if (!existsSync(MAIN)) throw new LauncherError(`${MAIN} is missing: run "npm run build" first.`);
    folder = await mkdtemp(join(tmpdir(), 'landlord-machines-'));
    await writeFile(join(folder, 'ca.pem'), CERTIFICATE);
    database = await createTestDatabase();
    await seedTestInstallation(database.url);
    sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql?.end();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => sql.query('truncate operator_actions, machine_tokens, machines, cells cascade'));

  const cell = (url: string): Promise<unknown> =>
    sql.query(
      `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
       values ('local', 'http://x', $1, '{*}', '{"aws":"machines"}', 'embedded', '1', '1')`,
      [url],
    );

  const landlord = (args: string[], settings: Record<string, string> = {}): Promise<Ended> =>
    new Promise((resolve) => {
      const secretKeys = `k1:${randomBytes(32).toString('base64')}`;
      const environment = { DATABASE_URL: database.url, LANDLORD_SECRET_KEYS: secretKeys, LANDLORD_DATA_DIR: folder };
      const env = { ...environment, ...settings };
      const child = execFile(process.execPath, [MAIN, 'machines', ...args], { env }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });

  it('prints one shell line, and apart from it the token, which is nowhere else', async () => {
    await cell('https://gateway.example.com:4001');
    const { code, stdout } = await landlord(['token', '--zone', 'us-east-1b'], { AGENT_CA: join(folder, 'ca.pem') });

    const lines = stdout.split('\n');
    const [line = '', ...others] = lines.filter((text) => text.startsWith('('));
    expect([code, others]).toEqual([0, []]);
    expect(line).toContain(sha256(CERTIFICATE));
    expect(line).toContain(sha256(await readFile(SCRIPT)));
    const [, secret = ''] = /^\d+\.([\w-]{43})$/m.exec(stdout) ?? [];
    expect(secret).not.toBe('');
    expect(line).not.toContain(secret);
    const { rows } = await sql.query('select zone, secret_hash from machine_tokens');
    expect(rows).toEqual([{ zone: 'us-east-1b', secret_hash: Buffer.from(sha256(secret), 'hex') }]);
    const { rows: actions } = await sql.query('select verb, detail::text from operator_actions');
    expect(actions).toMatchObject([{ verb: 'machines token' }]);
    expect(JSON.stringify(actions)).not.toContain(secret);
  });

  it('prints both as JSON', async () => {
    await cell('https://gateway.example.com:4001');
    const { stdout } = await landlord(['token', '--json', '--expires', '2h'], { AGENT_CA: join(folder, 'ca.pem') });

    expect(JSON.parse(stdout)).toMatchObject({
      ...{ cell: 'local', region: 'us-east-1', zone: 'us-east-1a', url: 'https://gateway.example.com:4001' },
      ...{
        ca_sha256: sha256(CERTIFICATE),
        line: expect.stringMatching(/^\(cd /),
        token: expect.stringMatching(/^\d+\./),
      },
    });
  });

  it('warns of a certificate that machines cannot trust', async () => {
    await cell('https://gateway.example.com:4001');
    const { stdout } = await landlord(['token'], { AGENT_CA: join(folder, 'ca.pem') });

    expect(stdout).toContain('set AGENT_CA to the root');
  });

  it('issues no token without the certificate of a gateway with TLS', async () => {
    await cell('https://gateway.example.com:4001');
    const ended = await landlord(['token']);

    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Set TLS_CERT or AGENT_CA') });
    expect((await sql.query('select from machine_tokens')).rowCount).toBe(0);
  });

  it('warns that a gateway on a loopback address takes no other hosts, and that programs are missing', async () => {
    await cell('http://127.0.0.1:4001');
    const { stdout } = await landlord(['token']);

    expect(stdout).toContain('Only this machine reaches the gateway at http://127.0.0.1:4001.');
    expect(stdout).toContain('run: npm run artifacts');
    expect(stdout).not.toContain('--cacert');
  });

  it.each([['25h'], ['0m'], ['30'], ['1d']])('refuses the lifetime %s', async (time) => {
    expect(await landlord(['token', '--expires', time])).toMatchObject({ code: 1, stdout: '' });
  });

  it('lists, drains and removes a machine', async () => {
    await sql.query(
      `insert into machines (cell, region, zone, hostname, address, processor, cpus, memory_mib, disk_gib, credential_hash, agent_version)
       values ('local', 'us-east-1', 'us-east-1a', 'host-1', '192.0.2.1', 'x64', 4, 8000, 100, '\\x00', '1')`,
    );
    const { rows } = await sql.query<{ id: string }>('select id from machines');
    const id = `${rows[0]?.id}`;

    expect((await landlord(['list'])).stdout).toMatch(/host-1 +192\.0\.2\.1 +local .* 0 of 8000 MiB +0 of 100 GiB/);
    expect((await landlord(['drain', id])).stdout).toContain(`Machine ${id} (host-1) gets no new nodes.`);
    expect(await landlord(['drain', id])).toMatchObject({ code: 1, stderr: `Machine ${id} is already draining.\n` });
    expect((await landlord(['remove', id])).stdout).toBe(
      `Machine ${id} (host-1) is removed. The gateway refuses it.\n`,
    );
    expect((await landlord(['list'])).stdout).toBe('No machines. To add one, run: landlord machines token\n');
  });
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}
