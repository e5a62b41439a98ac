import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { isWayPossible } from '../../test/ways-to-run.js';
import { clusterFiles } from '../embedded-postgres/cluster-files.js';
import { runStatement } from '../embedded-postgres/connect.js';
import { ensureDatabase, isDatabaseAlive, stopDatabase } from '../embedded-postgres/ensure-database.js';
import { findPostmaster } from '../embedded-postgres/postmaster.js';
import { FileLock, isAlive } from '@libs/host/os';
import { tryLauncherLock } from '../files/launcher-lock.js';
import { readManifest, writeManifest, type BackupManifest } from './backup-manifest.js';
import { takeBaseBackup } from './base-backup.js';
import { ClusterSwap } from './cluster-swap.js';
import { copyFile } from './copy-file.js';

const ACCOUNTS = 200;
const FUNDS = ACCOUNTS * 100;

/** One cluster and one backup, taken during transfers between accounts. At every consistent point the sum is equal. */
describe('A restored cluster', () => {
  const root = mkdtempSync(join(tmpdir(), 'landlord-swap-'));
  const dataDir = join(root, 'data');
  const backup = join(root, 'backup');
  const files = () => clusterFiles(dataDir);
  let manifest: BackupManifest;

  beforeAll(async () => {
    const { url } = await ensureDatabase({ dataDir });
    await runStatement(url, `create table accounts as select id, 100 as funds from generate_series(1, ${ACCOUNTS}) id`);
    const stop = new AbortController();
    const moving = moveMoney(url, stop.signal);
    mkdirSync(backup, { mode: 0o700 });
    const { startLsn, stopLsn, ...tree } = await takeBaseBackup(url, files(), join(backup, 'data'));
    stop.abort();
    expect(await moving).toBeGreaterThan(0);
    manifest = manifestOf(tree, startLsn, stopLsn);
    manifest.files['password'] = await copyFile(files().password, join(backup, 'password'));
    writeManifest(backup, manifest);
    await runStatement(url, `update accounts set funds = 0`);
    await stopDatabase({ dataDir });
  });
  afterAll(async () => {
    await stopDatabase({ dataDir });
    rmSync(root, { recursive: true, force: true });
  });

  it('is consistent although data changed during the backup, and the previous cluster is kept', async () => {
    const before = await restoreInto(dataDir);

    const { url } = await ensureDatabase({ dataDir });

    expect(await fundsAt(url)).toBe(FUNDS);
    expect(before).toMatch(/data\.before-\d{8}T\d{6}Z$/);
    expect(existsSync(join(before ?? '', 'PG_VERSION'))).toBe(true);
    expect(statSync(files().data).mode & 0o777).toBe(0o700);
    expect(readdirSync(files().home).filter((name) => /restor/.test(name))).toEqual([]);
    await stopDatabase({ dataDir });
  });

  it('can be restored to a directory without a cluster, with its own password', async () => {
    const elsewhere = join(root, 'elsewhere');

    expect(await restoreInto(elsewhere)).toBeNull();

    const { url } = await ensureDatabase({ dataDir: elsewhere });
    expect(await fundsAt(url)).toBe(FUNDS);
    await stopDatabase({ dataDir: elsewhere });
  });

  it('is not lost when the restore dies between the two renames', async () => {
    const swap = await ClusterSwap.begin(dataDir, 'i1');
    await swap.startCopy(backup, manifest);
    await swap.finish();
    await swap.end();
    const { data, restored, password, restoredPassword } = files();
    renameSync(data, restored);
    renameSync(password, restoredPassword);

    const { url } = await ensureDatabase({ dataDir });

    expect(await fundsAt(url)).toBe(FUNDS);
    expect(existsSync(restored)).toBe(false);
    await stopDatabase({ dataDir });
  });

  it.each([
    ['data/base/1/2619', 'changed', (path: string) => appendFileSync(path, 'x'), 'differs from the manifest'],
    ['data/base/1/2619', 'missing', (path: string) => rmSync(path), 'is not readable'],
    ['password', 'changed', (path: string) => appendFileSync(path, 'x'), 'differs from the manifest'],
  ])('is refused when the file %s of the backup is %s, without any change', async (path, _, harm, message) => {
    const damaged = mkdtempSync(join(root, 'damaged-'));
    // Copies the directory without syncing it to disk.
    cpSync(backup, damaged, { recursive: true });
    harm(join(damaged, path));
    const swap = await ClusterSwap.begin(dataDir, 'i1');

    await expect(swap.startCopy(damaged, manifest)).rejects.toThrow(message);
    await swap.end();

    expect(readdirSync(files().home).filter((name) => /restor/.test(name))).toEqual([]);
    const { url } = await ensureDatabase({ dataDir });
    expect(await fundsAt(url)).toBe(FUNDS);
    await stopDatabase({ dataDir });
  });

  (isWayPossible('nobody_with_access') ? it : it.skip)('belongs to the user that PostgreSQL runs as', async () => {
    const elsewhere = join(root, 'as-nobody');
    const swap = await ClusterSwap.begin(elsewhere, 'i1');
    expect(await fundsAt(await swap.startCopy(backup, manifest, ['nobody_with_access']))).toBe(FUNDS);
    await swap.finish();
    await swap.end();

    const { home, data, password } = clusterFiles(elsewhere);
    const owners = [home, data, password, join(data, 'PG_VERSION')].map((path) => statSync(path).uid);
    expect(owners).toEqual([65_534, 65_534, 65_534, 65_534]);
  });

  it('is created again after a restore that was killed, while its database still runs', async () => {
    const swap = await ClusterSwap.begin(dataDir, 'i1');
    const first = await swap.startCopy(backup, manifest);
    await runStatement(first, 'update accounts set funds = 0');
    const { pid } = findPostmaster({ ...files(), data: join(files().home, 'data.restoring') }) ?? {};

    const second = await swap.startCopy(backup, manifest);

    expect(isAlive(pid ?? process.pid)).toBe(false);
    expect(await fundsAt(second)).toBe(FUNDS);
    await swap.end();
  });

  it('is refused without a manifest, which is written last, and with a damaged one', () => {
    const incomplete = mkdtempSync(join(root, 'incomplete-'));
    expect(() => readManifest(incomplete)).toThrow('is not a complete backup');

    writeFileSync(join(incomplete, 'backup.json'), '{"format": 1');
    expect(() => readManifest(incomplete)).toThrow('is damaged');
    expect(readManifest(backup)).toEqual(manifest);
  });

  it('is refused while the database or Landlord runs, and in the directory of another installation', async () => {
    await ensureDatabase({ dataDir });
    await expect(ClusterSwap.begin(dataDir, 'i1')).rejects.toThrow('still runs');
    expect(isDatabaseAlive(dataDir)).toBe(true);
    await stopDatabase({ dataDir });

    const lock = tryLauncherLock(dataDir);
    await expect(ClusterSwap.begin(dataDir, 'i1')).rejects.toThrow(/Landlord runs with .* \(process \d+\)/);
    if (lock instanceof FileLock) lock.release();

    writeFileSync(join(dataDir, 'installation'), 'i2\n');
    await expect(ClusterSwap.begin(dataDir, 'i1')).rejects.toThrow(
      'installation i1, but this data directory belongs to i2',
    );
    rmSync(join(dataDir, 'installation'));
    await (await ClusterSwap.begin(dataDir, 'i1')).end();
  });

  async function restoreInto(directory: string): Promise<string | null> {
    const swap = await ClusterSwap.begin(directory, 'i1');
    try {
      const url = await swap.startCopy(backup, manifest);
      expect(await fundsAt(url)).toBe(FUNDS);
      return await swap.finish();
    } finally {
      await swap.end();
    }
  }
});

async function fundsAt(url: string): Promise<number> {
  const { rows } = await runStatement(url, 'select sum(funds)::int as funds from accounts');
  return (rows[0] as { funds: number }).funds;
}

/** Returns the number of transfers. */
async function moveMoney(url: string, stop: AbortSignal): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let moves = 0;
  for (; !stop.aborted; moves += 1) {
    await client.query('begin');
    await client.query('update accounts set funds = funds - 1 where id = $1', [1 + (moves % ACCOUNTS)]);
    await client.query('update accounts set funds = funds + 1 where id = $1', [1 + ((moves * 7) % ACCOUNTS)]);
    await client.query('commit');
  }
  await client.end();
  return moves;
}

function manifestOf(
  tree: Pick<BackupManifest, 'directories' | 'files'>,
  start_lsn: string,
  stop_lsn: string,
): BackupManifest {
  const at = new Date().toISOString();
  const facts = { format: 1, release: '0', schema: 's', installation: 'i1', timeline: 1, postgres: '18' } as const;
  return {
    ...{ ...facts, started_at: at, finished_at: at, start_lsn, stop_lsn, with_keys: false },
    directories: ['data', ...tree.directories.map((path) => `data/${path}`)],
    files: Object.fromEntries(Object.entries(tree.files).map(([path, file]) => [`data/${path}`, file])),
  };
}
