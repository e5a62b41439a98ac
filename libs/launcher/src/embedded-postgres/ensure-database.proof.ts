import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileLauncher, type CompiledLauncher } from '../../test/compiled-launcher.js';
import { isWayPossible } from '../../test/ways-to-run.js';
import { isAlive, processesIn, until } from '@libs/host/os';
import { runStatement } from './connect.js';
import { ensureDatabase, isDatabaseAlive, stopDatabase, type EnsureDatabaseOptions } from './ensure-database.js';

const SETTINGS = { max_connections: '20', shared_buffers: '16MB' };
const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? it : it.skip;
const dirs: string[] = [];

function aDataDir(parentMode = 0o755): string {
  const parent = mkdtempSync(join(tmpdir(), 'landlord-launcher-'));
  chmodSync(parent, parentMode);
  dirs.push(join(parent, 'data'));
  return join(parent, 'data');
}

const ensure = (dataDir: string, options: Partial<EnsureDatabaseOptions> = {}) =>
  ensureDatabase({ dataDir, settings: SETTINGS, ...options });
const kill = (pid: number) => process.kill(pid, 'SIGKILL');
const died = (pid: number) => until(() => !isAlive(pid), { timeoutMs: 10_000 });

afterEach(async () => {
  for (const dataDir of dirs.splice(0)) {
    await stopDatabase({ dataDir, times: { fastMs: 3_000, immediateMs: 3_000 } });
    rmSync(join(dataDir, '..'), { recursive: true, force: true });
  }
});

describe('the embedded PostgreSQL', () => {
  let dist: CompiledLauncher;

  beforeAll(() => {
    dist = compileLauncher();
  });
  afterAll(() => dist.remove());

  it('starts on an empty directory, keeps its rows over a stop, and restarts on the same port', async () => {
    const dataDir = aDataDir();

    const first = await ensure(dataDir);
    await runStatement(first.url, 'create table kept as select 42 as answer');
    await stopDatabase({ dataDir });
    const wasAlive = isDatabaseAlive(dataDir);
    const second = await ensure(dataDir);

    expect(first.reused).toBe(false);
    expect(wasAlive).toBe(false);
    expect(second).toMatchObject({ url: first.url, port: first.port, reused: false });
    expect((await runStatement(second.url, 'select answer from kept')).rows).toEqual([{ answer: 42 }]);
  });

  it('is private: listens only on the loopback, requires a password, and other users cannot read its files', async () => {
    const dataDir = aDataDir();

    const { url, port } = await ensure(dataDir);

    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(runStatement(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    const settings = await runStatement(
      url,
      `select name, setting from pg_settings where name in
         ('listen_addresses', 'unix_socket_directories', 'server_encoding', 'fsync', 'max_connections') order by name`,
    );
    expect(settings.rows.map((row) => `${row.name}=${row.setting}`)).toEqual([
      'fsync=on',
      'listen_addresses=127.0.0.1',
      'max_connections=20',
      'server_encoding=UTF8',
      'unix_socket_directories=',
    ]);
    expect(port).toBeGreaterThan(1024);
    expect(statSync(join(dataDir, 'postgres', 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it('gets the page cost of SSDs, also in a cluster of an earlier release, and keeps another choice of the operator', async () => {
    const dataDir = aDataDir();
    const file = join(dataDir, 'postgres', 'data', 'postgresql.conf');
    const costWith = async (change: (lines: string[]) => string[]) => {
      await stopDatabase({ dataDir });
      writeFileSync(file, change(readFileSync(file, 'utf8').trim().split('\n')).join('\n'));
      return costOf(await ensure(dataDir));
    };
    const costOf = async ({ url }: { url: string }) => (await runStatement(url, 'show random_page_cost')).rows;
    const isOther = (line: string) => !line.startsWith('random_page_cost');

    const ofNew = await costOf(await ensure(dataDir));
    const ofEarlier = await costWith((lines) => lines.filter(isOther));
    const ofOperator = await costWith((lines) => [...lines.filter(isOther), 'random_page_cost = 3']);

    expect([ofNew, ofEarlier, ofOperator].flat().map((row) => row.random_page_cost)).toEqual(['1.1', '1.1', '3']);
  });

  it('is started once and shared by concurrent and later callers and processes', async () => {
    const dataDir = aDataDir();
    const other = `import { ensureDatabase } from ${JSON.stringify(join(dist.src, 'index.js'))};
      console.log(JSON.stringify(await ensureDatabase({ dataDir: process.argv[1] }))); process.exit(0);`;

    const [a, b, c] = await Promise.all([
      ensure(dataDir),
      ensure(dataDir),
      output(process.execPath, ['--input-type=module', '-e', other, dataDir]),
    ]);

    const handles = [a, b, JSON.parse(c)];
    expect(new Set(handles.map((handle) => handle.pid)).size).toBe(1);
    expect(handles.filter((handle) => !handle.reused)).toHaveLength(1);
  });

  it('is reused after the process that started it was killed', async () => {
    const dataDir = aDataDir();
    const owner = spawn(
      process.execPath,
      [
        ...['--input-type=module', '-e'],
        `import { ensureDatabase } from ${JSON.stringify(join(dist.src, 'index.js'))};
         console.log((await ensureDatabase({ dataDir: process.argv[1] })).pid); setInterval(() => {}, 1000);`,
        dataDir,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];

    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const handle = await ensure(dataDir);

    expect(handle).toMatchObject({ pid: Number(line.toString()), reused: true });
  });

  it('recovers at once after its postmaster was killed under a busy backend', async () => {
    const dataDir = aDataDir();
    const { url, pid } = await ensure(dataDir);
    await runStatement(url, 'create table kept as select 42 as answer');
    const busy = runStatement(url, 'select count(*) from generate_series(1, 1000000000)').catch(() => 'cut');
    await until(
      () => runStatement(url, `select 1 from pg_stat_activity where query like 'select count%'`).then(hasRow),
      {
        timeoutMs: 10_000,
      },
    );

    kill(pid);
    await died(pid);
    const again = await ensure(dataDir);

    expect(again.reused).toBe(false);
    expect((await runStatement(again.url, 'select answer from kept')).rows).toEqual([{ answer: 42 }]);
    expect(await busy).toBe('cut');
  });

  it('starts although another process now has its stored pid', async () => {
    const dataDir = aDataDir();
    const { pid } = await ensure(dataDir);
    kill(pid);
    await died(pid);
    const file = join(dataDir, 'postgres', 'data', 'postmaster.pid');
    const otherProcess = spawn('sleep', ['60'], { detached: true });
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [otherProcess.pid, ...lines.slice(1)].join('\n'));

    const again = await ensure(dataDir);

    expect(again.reused).toBe(false);
    expect(isAlive(otherProcess.pid ?? 0)).toBe(true);
    otherProcess.kill('SIGKILL');
  });

  it('uses another port when its own was taken while it was down', async () => {
    const dataDir = aDataDir();
    const { port } = await ensure(dataDir);
    await stopDatabase({ dataDir });
    const { createServer } = await import('node:net');
    const thief = createServer().listen(port, '127.0.0.1');
    await once(thief, 'listening');

    const again = await ensure(dataDir);

    expect(again.port).not.toBe(port);
    thief.close();
  });

  it('starts again after initdb was interrupted', async () => {
    const dataDir = aDataDir();
    mkdirSync(join(dataDir, 'postgres', 'data.new'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'data.new', 'half'), '');

    const { url } = await ensure(dataDir);

    expect(hasRow(await runStatement(url, 'select 1'))).toBe(true);
  });

  it('stops within the given times when the postmaster does not respond, and leaves no child', async () => {
    const dataDir = aDataDir();
    const { pid } = await ensure(dataDir);
    process.kill(pid, 'SIGSTOP');

    await stopDatabase({ dataDir, times: { fastMs: 200, immediateMs: 200 } });

    expect(isAlive(pid)).toBe(false);
    expect(await processesIn(join(dataDir, 'postgres', 'data'))).toEqual([]);
  });

  it.each(['user_namespace', 'nobody_with_access'] as const)(
    'runs below a directory of mode 0700 as %s',
    async (way) => {
      if (!isWayPossible(way)) return;
      const dataDir = aDataDir(0o700);

      const first = await ensure(dataDir, { runAsAmong: [way] });

      expect(effectiveUidInside(first.pid)).toBe(way === 'user_namespace' ? 0 : 65_534);
      expect(hasRow(await runStatement(first.url, 'select 1'))).toBe(true);
    },
  );

  asRoot('keeps its rows when the next start has to run it in another way', async () => {
    const dataDir = aDataDir(0o711);
    const ways = (['user_namespace', 'nobody_with_access'] as const).filter(isWayPossible);
    const { url } = await ensure(dataDir, { runAsAmong: [ways[0] ?? 'nobody'] });
    await runStatement(url, 'create table kept as select 42 as answer');

    for (const way of ways.toReversed()) {
      await stopDatabase({ dataDir });
      const again = await ensure(dataDir, { runAsAmong: [way] });
      expect((await runStatement(again.url, 'select answer from kept')).rows).toEqual([{ answer: 42 }]);
    }
  });

  asRoot('says what to change when plain nobody cannot enter the data directory', async () => {
    const dataDir = aDataDir(0o700);

    await expect(ensure(dataDir, { runAsAmong: ['nobody'] })).rejects.toThrow(/LANDLORD_DATA_DIR/);
  });

  asRoot('runs as plain nobody where the data directory may be entered', async () => {
    const dataDir = aDataDir();
    mkdirSync(dataDir, { mode: 0o711 });
    chmodSync(dataDir, 0o711);

    const { pid } = await ensure(dataDir, { runAsAmong: ['nobody'] });

    expect(effectiveUidInside(pid)).toBe(65_534);
  });
});

function hasRow(result: { rows: unknown[] }): boolean {
  return result.rows.length > 0;
}

/** The uid as this process sees it. For a process in a user namespace this is the uid outside. */
function effectiveUidInside(pid: number): number {
  return Number(/^Uid:\s+\d+\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

async function output(file: string, args: string[]): Promise<string> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks).toString();
}
