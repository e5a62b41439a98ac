import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { locateBinaries } from '../embedded-postgres/binaries.js';
import { clusterFiles, ensureOwner, finishRestore, type ClusterFiles } from '../embedded-postgres/cluster-files.js';
import { superuserUrl } from '../embedded-postgres/connect.js';
import { findPostmaster, stopPostmaster } from '../embedded-postgres/postmaster.js';
import { chooseRunAs, type RunAsName } from '../embedded-postgres/run-as.js';
import { startPostmaster } from '../embedded-postgres/start-postmaster.js';
import { FileLock } from '../files/file-lock.js';
import { tryLauncherLock } from '../files/launcher-lock.js';
import { ensurePrivateDirectory, readFileIfAny, writePrivateFile } from '../files/private-file.js';
import { LauncherError } from '../launcher-error.js';
import { findApps } from '../processes/installation-processes.js';
import type { BackupManifest } from './backup-manifest.js';
import { syncDirectory } from './copy-file.js';
import { restoreFile, restoreFiles } from './restore-files.js';

const LOCK_MS = 5_000;
const STOP_TIMES = { fastMs: 60_000, immediateMs: 5_000 };

/**
 * Puts a backup in the place of the embedded cluster. The backup is copied, recovered and made the present beside the
 * cluster that is there; only then do the two change places. Whatever dies on the way, what is called `data` is whole: the
 * old cluster or the new one, and never a restored one that was not made the present.
 */
export class ClusterSwap {
  private readonly copy: ClusterFiles;

  private constructor(
    private readonly files: ClusterFiles,
    private readonly locks: FileLock[],
  ) {
    const { home } = files;
    this.copy = { ...files, data: join(home, 'data.restoring'), password: join(home, 'password.restoring') };
  }

  /** Takes the data directory. Throws LauncherError while anything runs on it, or when it is another installation's. */
  static async begin(dataDir: string, installation: string): Promise<ClusterSwap> {
    const launcher = tryLauncherLock(dataDir);
    if (!(launcher instanceof FileLock))
      throw new LauncherError(`Landlord runs on ${dataDir} (process ${launcher.heldBy}). Stop it first.`);
    const files = clusterFiles(dataDir);
    const locks = [launcher];
    try {
      locks.push(await FileLock.acquire(files.lock, LOCK_MS));
      requireQuiet(files, readFileIfAny(join(dataDir, 'installation')), installation);
      return new ClusterSwap(files, locks);
    } catch (error) {
      for (const lock of locks) lock.release();
      throw error;
    }
  }

  /**
   * Copies the backup and lets PostgreSQL recover it; answers the superuser's address of the copy. `among`: only these ways
   * of running PostgreSQL as root.
   */
  async startCopy(backup: string, manifest: BackupManifest, among?: RunAsName[]): Promise<string> {
    const { home, log } = this.files;
    ensurePrivateDirectory(home);
    ensurePrivateDirectory(dirname(log));
    // Of a restore that was killed: its database outlives it.
    await stopPostmaster(this.copy, STOP_TIMES);
    this.removeRemains();
    await restoreFiles(backup, manifest, this.copy.data);
    await restoreFile(backup, manifest, 'password', this.copy.password);
    const way = chooseRunAs({ binaries: locateBinaries(), dataDir: dirname(home), ...(among ? { among } : {}) });
    ensureOwner(this.copy, way);
    return superuserUrl(this.copy, await startPostmaster(way, this.copy));
  }

  /** Stops the copy and gives it the place of the cluster; answers where that is kept now, or null where none was. */
  async finish(): Promise<string | null> {
    const { home, data, password } = this.files;
    await stopPostmaster(this.copy, STOP_TIMES);
    renameSync(this.copy.password, this.files.restoredPassword);
    renameSync(this.copy.data, this.files.restored);
    const before = `${data}.before-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    const hadOne = existsSync(data);
    if (hadOne) {
      writePrivateFile(`${before}.password`, readFileIfAny(password) ?? '');
      renameSync(data, before);
    }
    finishRestore(this.files);
    await syncDirectory(home);
    return hadOne ? before : null;
  }

  /** Leaves nothing of an attempt that failed, and gives the data directory back. */
  async end(): Promise<void> {
    try {
      await stopPostmaster(this.copy, STOP_TIMES);
      this.removeRemains();
    } finally {
      for (const lock of this.locks) lock.release();
    }
  }

  private removeRemains(): void {
    // One that an earlier attempt left whole but did not use; where `data` is missing it is the database.
    finishRestore(this.files);
    const { restored, restoredPassword } = this.files;
    for (const path of [this.copy.data, this.copy.password, restored, restoredPassword])
      rmSync(path, { recursive: true, force: true });
  }
}

function requireQuiet(files: ClusterFiles, noted: string | null, installation: string): void {
  const postmaster = findPostmaster(files);
  if (postmaster)
    throw new LauncherError(`The database in ${files.data} still runs (process ${postmaster.pid}). Stop it first.`);
  const apps = noted === null ? [] : findApps(noted);
  if (apps.length > 0)
    throw new LauncherError(`Apps of Landlord still run (processes ${apps.join(', ')}). Stop them first.`);
  if (noted === null || noted === installation) return;
  throw new LauncherError(
    `The backup is of installation ${installation}, this data directory of ${noted}. Set LANDLORD_DATA_DIR to another one.`,
  );
}
