import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { eventually, noteSkip } from '@libs/testing';
import { listenOn, PASSWORD, refusal, StartBench } from './failed-start.fixture.js';

const KEYS = `k1:${randomBytes(32).toString('base64')}`;
/** Where a start ends that has passed all checks before the database. */
const AWAY = { DATABASE_URL: `postgres://u:${PASSWORD}@127.0.0.1:1/landlord`, LANDLORD_SECRET_KEYS: KEYS };
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Whether the user nobody can run the build: a checkout in a closed home forbids it. */
const nobodyCanRun = (): boolean =>
  isRoot && spawnSync('test', ['-r', resolve('dist/libs/launcher/src/main.js')], { uid: NOBODY }).status === 0;

describe('A start that cannot succeed', () => {
  let bench: StartBench;

  beforeEach(async () => {
    bench = await StartBench.open();
  });
  afterEach(() => bench.close());

  it('lists every wrong setting of the launcher and of both apps, without their values (settings_invalid)', async () => {
    const failed = await bench.fails('landlord', {
      ...{ RATE_LIMIT: PASSWORD, SESSION_HOURS: '0', ALERT_SAMPLES: '1.5', LOCAL_PORT_RANGE: '900-800' },
      ...{ SMTP_URL: `ftp://u:${PASSWORD}@h`, BOOTSTRAP_API_KEY: PASSWORD, TLS_KEY: '/nowhere.pem' },
      ...{ CATALOG_FILE: '/nowhere.json', GATEWAY_PORT: String(bench.ports.main), LOG_LEVEL_FILE: '/nowhere' },
      ...{ DATABASE_URL: `mysql://u:${PASSWORD}@h/d`, GATEWAY_HOST: '0.0.0.0', QUEUE_URL: `http://:${PASSWORD}@h` },
    });

    const names = [...failed.said.matchAll(/^ {2}([A-Z_]+): \S/gm)].map(([, name]) => name);
    expect(names).toEqual([
      ...['ALERT_SAMPLES', 'BOOTSTRAP_API_KEY', 'CATALOG_FILE', 'DATABASE_URL', 'GATEWAY_HOST', 'GATEWAY_PORT'],
      ...['LOCAL_PORT_RANGE', 'LOG_LEVEL_FILE', 'QUEUE_URL', 'RATE_LIMIT', 'SESSION_HOURS', 'SMTP_URL', 'TLS_CERT'],
    ]);
    expect(failed.said).toContain('  RATE_LIMIT: must be off, or a whole number from 1 to 1000000\n');
    expect(failed.said).toMatch(/^The settings are invalid:\n[^]*\nCorrect these variables\. docs\/configuration\.md/);
    expect([failed.code, bench.files()]).toEqual([78, []]);
  });

  it('lists every wrong setting also when an app starts alone (settings_invalid)', async () => {
    const failed = await bench.fails('supervisor', { RATE_LIMIT: '0', ALERT_SAMPLES: 'x', DATABASE_URL_FILE: '/no' });

    const problems = [
      '  LANDLORD_SECRET_KEYS: is required',
      '  RATE_LIMIT: must be at least 1',
      '  ALERT_SAMPLES: must be a number',
      '  DATABASE_URL_FILE: /no cannot be read (ENOENT)',
    ];
    expect(failed).toEqual(refusal('settings_invalid', { problems: problems.join('\n') }));
  });

  it('names each taken port, its process and its variable, for the launcher and for an app (ports_taken)', async () => {
    const { ports } = bench;
    const thief = await listenOn([ports.main, ports.gateway]);

    const failed = await bench.fails('landlord', AWAY);
    const app = await bench.fails('supervisor', AWAY);

    thief.close();
    const holder = process.platform === 'linux' ? `process ${process.pid} \\(\\w+\\)` : 'another process';
    expect(failed.said).toMatch(
      new RegExp(
        `^Port ${ports.main} for the main API \\(MAIN_API_PORT\\) is in use by ${holder}\\.\n` +
          `Port ${ports.gateway} for the gateway of the node agents \\(GATEWAY_PORT\\) is in use by ${holder}\\.\n` +
          'Free the port, or set another port: MAIN_API_PORT=<port>, GATEWAY_PORT=<port>\\.\n$',
      ),
    );
    const facts = { port: String(ports.gateway), user: 'the gateway of the node agents', variable: 'GATEWAY_PORT' };
    const others = { holder: 'another process', further_ports: '', variables: 'GATEWAY_PORT=<port>' };
    expect(app).toEqual(refusal('ports_taken', { ...facts, ...others }));
    expect(failed.code).toBe(75);
  });

  it('refuses an address that this machine does not have (address_unknown)', async () => {
    const hosts = { MAIN_API_HOST: '192.0.2.1' };
    const text = refusal('address_unknown', { host: '192.0.2.1', user: 'the main API', variable: 'MAIN_API_HOST' });

    expect(await bench.fails('landlord', { ...AWAY, ...hosts })).toEqual(text);
    expect(await bench.fails('main-api', { ...AWAY, ...hosts })).toEqual(text);
  });

  it('refuses a port that needs more rights (port_forbidden)', async () => {
    const first = Number(readOr('/proc/sys/net/ipv4/ip_unprivileged_port_start', '1024'));
    if (first <= 81 || (isRoot && !nobodyCanRun()))
      return noteSkip('every user may use port 81 here', 'Run them as another user');
    chmodSync(bench.home, 0o777);

    const failed = await bench.fails('main-api', { ...AWAY, MAIN_API_PORT: '81' }, isRoot ? NOBODY : undefined);

    const facts = { port: '81', user: 'the main API', variable: 'MAIN_API_PORT' };
    expect(failed).toEqual(refusal('port_forbidden', facts));
  });

  it('refuses a read-only data directory (data_directory_refused)', async () => {
    // Also root cannot create this directory.
    const path = existsSync('/sys/kernel') ? '/sys/landlord' : '/dev/landlord';

    const failed = await bench.fails('landlord', { LANDLORD_DATA_DIR: path });

    expect(failed.said).toMatch(new RegExp(`^Landlord cannot write ${path}: [a-z -]+\\. Give the user`));
    expect([failed.code, existsSync(path)]).toEqual([78, false]);
    const migrate = await bench.fails('landlord', { LANDLORD_DATA_DIR: path }, undefined, 'migrate');
    expect(migrate).toEqual(failed);
  });

  it('names the owner of a data directory of another user (data_directory_foreign)', async () => {
    const path = isRoot ? bench.dataDir : '/';
    if (isRoot && !nobodyCanRun())
      return noteSkip('the user nobody cannot run the build', 'Move the checkout to an open folder');
    chmodSync(bench.home, 0o755);
    if (isRoot) mkdirSync(path, { mode: 0o700 });

    const user = isRoot ? NOBODY : process.getuid?.();
    const failed = await bench.fails('landlord', { LANDLORD_DATA_DIR: path }, isRoot ? NOBODY : undefined);

    expect(failed).toEqual(refusal('data_directory_foreign', { path, owner: '0', user: String(user) }));
    expect(bench.files()).toEqual([]);
  });

  it('refuses a data directory below a file, and on a file system without directories (data_directory_impossible)', async () => {
    writeFileSync(join(bench.home, 'file'), 'mine');
    const path = join(bench.home, 'file', 'data');

    const below = await bench.fails('landlord', { LANDLORD_DATA_DIR: path });
    const file = await bench.fails('supervisor', { ...AWAY, LANDLORD_DATA_DIR: join(bench.home, 'file') });

    expect(below).toEqual(refusal('data_directory_impossible', { path, reason: 'a part of this path is a file' }));
    expect(file.said).toMatch(/file cannot be a data directory: a file has this path\. Set LANDLORD_DATA_DIR/);
    expect(readFileSync(join(bench.home, 'file'), 'utf8')).toBe('mine');
    if (!existsSync('/proc/self')) return;
    const proc = await bench.fails('landlord', { LANDLORD_DATA_DIR: '/proc/landlord' });
    expect(proc.said).toContain('/proc/landlord cannot be a data directory: this file system cannot contain it.');
  });

  it('refuses a full disk at once, and a disk that becomes full during initdb (disk_full)', async () => {
    const disk = join(bench.home, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=0755', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      return noteSkip('this user may not mount a small disk', 'Run them as root');
    }
    try {
      const small = await bench.fails('landlord', { LANDLORD_DATA_DIR: disk });
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=1M'], { stdio: 'ignore' });
      const full = await bench.fails('landlord', { LANDLORD_DATA_DIR: disk });

      expect(small).toEqual(refusal('disk_full', { path: disk }));
      expect(full).toEqual(refusal('disk_full', { path: disk }));
    } finally {
      execFileSync('umount', ['-l', disk]);
    }
  });

  it('names the process that uses the data directory (data_directory_in_use)', async () => {
    // The first launcher waits for this database, and has the lock meanwhile.
    const silent = await listenOn([0]);
    const first = bench.spawn('landlord', { DATABASE_URL: `postgres://u@127.0.0.1:${silent.ports[0]}/landlord` });
    await eventually('the first launcher has the lock', () => existsSync(join(bench.dataDir, 'launcher.lock')));

    const second = await bench.failsBeside('landlord', AWAY);

    silent.close();
    expect(second).toEqual(refusal('data_directory_in_use', { path: bench.dataDir, pid: String(first.pid) }));
  });

  it('refuses a database of another version of PostgreSQL, and leaves it as it is (cluster_of_another_version)', async () => {
    const data = join(bench.dataDir, 'postgres/data');
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(join(data, 'PG_VERSION'), '17\n');

    const failed = await bench.fails('landlord', {});

    expect(failed).toEqual(refusal('cluster_of_another_version', { path: data, found: '17', own: '18' }));
    expect(bench.files()).toEqual(['postgres', 'postgres/data', 'postgres/data/PG_VERSION']);
  });
});

function readOr(path: string, other: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : other;
}
