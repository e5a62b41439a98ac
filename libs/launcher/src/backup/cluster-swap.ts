import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { locateBinaries } from '../embedded-postgres/binaries.js';
import { clusterFiles, ensureOwner, finishRestore, type ClusterFiles } from '../embedded-postgres/cluster-files.js';
import { superuserUrl } from '../embedded-postgres/connect.js';
import { findPostmaster, stopPostmaster } from '../embedded-postgres/postmaster.js';
import { chooseRunAs, type RunAsName } from '../embedded-postgres/run-as.js';
import { startPostmaster } from '../embedded-postgres/start-postmaster.js';
import { FileLock, readFileIfAnySync, writePrivateFileSync } from '@libs/host/os';
import { tryLauncherLock } from '../files/launcher-lock.js';
import { makePrivateDirectory } from '@libs/domain/starts';
import { LauncherError } from '../launcher-error.js';
import { findApps } from '../processes/installation-processes.js';
import type { BackupManifest } from './backup-manifest.js';
import { syncDirectory } from './copy-file.js';
import { restoreFile, restoreFiles } from './restore-files.js';

const LOCK_MS = 5_000;
const STOP_TIMES = { fastMs: 60_000, immediateMs: 5_000 };

/**
 * Replaces the embedded cluster with a backup. The backup is copied, recovered and prepared next to the existing cluster. Only
 * then the two are exchanged. After a crash at any point the directory `data` is complete: the old cluster or the new one, but
 * never a restored one that was not prepared.
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

  /** Locks the data directory. Throws LauncherError while a process uses it, or when it belongs to another installation. */
  static async begin(dataDir: string, installation: string): Promise<ClusterSwap> {
    const launcher = tryLauncherLock(dataDir);
    if (!(launcher instanceof FileLock))
      throw new LauncherError(`Landlord runs with ${dataDir} (process ${launcher.heldBy}). Stop Landlord first.`);
    const files = clusterFiles(dataDir);
    const locks = [launcher];
    try {
      locks.push(await FileLock.acquire(files.lock, LOCK_MS));
      await requireQuiet(files, readFileIfAnySync(join(dataDir, 'installation')), installation);
      return new ClusterSwap(files, locks);
    } catch (error) {
      for (const lock of locks) lock.release();
      throw error;
    }
  }

  /**
   * Copies the backup and lets PostgreSQL recover it. Returns the superuser's URL of the copy. `among`: only these ways of
   * running PostgreSQL as root.
   */
  async startCopy(backup: string, manifest: BackupManifest, among?: RunAsName[]): Promise<string> {
    const { home, log } = this.files;
    makePrivateDirectory(home);
    makePrivateDirectory(dirname(log));
    // The database of a restore that was killed may still be running.
    await stopPostmaster(this.copy, STOP_TIMES);
    this.removeRemains();
    await restoreFiles(backup, manifest, this.copy.data);
    await restoreFile(backup, manifest, 'password', this.copy.password);
    const way = chooseRunAs({ binaries: locateBinaries(), dataDir: dirname(home), ...(among ? { among } : {}) });
    ensureOwner(this.copy, way);
    return superuserUrl(this.copy, await startPostmaster(way, this.copy));
  }

  /**
   * Stops the copy and exchanges it with the cluster. Returns the new path of the previous cluster, or null when there was
   * none.
   */
  async finish(): Promise<string | null> {
    const { home, data, password } = this.files;
    await stopPostmaster(this.copy, STOP_TIMES);
    renameSync(this.copy.password, this.files.restoredPassword);
    renameSync(this.copy.data, this.files.restored);
    const before = `${data}.before-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    const hadOne = existsSync(data);
    if (hadOne) {
      writePrivateFileSync(`${before}.password`, readFileIfAnySync(password) ?? '');
      renameSync(data, before);
    }
    finishRestore(this.files);
    await syncDirectory(home);
    return hadOne ? before : null;
  }

  /** Removes the remains of a failed attempt and unlocks the data directory. */
  async end(): Promise<void> {
    try {
      await stopPostmaster(this.copy, STOP_TIMES);
      this.removeRemains();
    } finally {
      for (const lock of this.locks) lock.release();
    }
  }

  private removeRemains(): void {
    // An earlier attempt may have left a complete but unused copy. If `data` is missing, that copy is the database.
    finishRestore(this.files);
    const { restored, restoredPassword } = this.files;
    for (const path of [this.copy.data, this.copy.password, restored, restoredPassword])
      rmSync(path, { recursive: true, force: true });
  }
}

async function requireQuiet(files: ClusterFiles, noted: string | null, installation: string): Promise<void> {
  const postmaster = findPostmaster(files);
  if (postmaster)
    throw new LauncherError(
      `The database in ${files.data} still runs (process ${postmaster.pid}). Stop this process first.`,
    );
  const apps = noted === null ? [] : await findApps(noted);
  if (apps.length > 0)
    throw new LauncherError(`Apps of Landlord still run (processes ${apps.join(', ')}). Stop these processes first.`);
  if (noted === null || noted === installation) return;
  throw new LauncherError(
    `The backup belongs to installation ${installation}, but this data directory belongs to ${noted}. Set LANDLORD_DATA_DIR to another directory.`,
  );
}
