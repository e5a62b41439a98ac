import { join } from 'node:path';
import { RELEASE_WITH_COMMIT, requireDataDirectory, StartRefused } from '@libs/domain/starts';
import { FileLock, type LockHolder } from '@libs/host/os';
import { z } from 'zod';
import type { LauncherConfig } from '../config.js';
import { ownProgram } from './command-file.js';

/** What a running Landlord notes in its lock. Launchers of other releases read it, so members are only added. */
const NOTE = z.object({
  release: z.string(),
  /** The file that Node runs. */
  program: z.string(),
  /** The ports of its apps. */
  ports: z.array(z.number()),
  /** The database without user and password. */
  database: z.string(),
  /** SIGUSR2 makes the launcher stop its apps only, and release the lock. */
  hands_over: z.literal(true),
});
export type LauncherNote = z.infer<typeof NOTE>;

/** A process that has the launcher lock. Without a note: an older release, or another verb than `start`. */
export interface RunningLauncher {
  pid: number;
  note: LauncherNote | null;
}

/** Creates the data directory and takes its launcher lock. If another process has the lock, returns that process. */
export function tryLauncherLock(dataDir: string, note?: LauncherNote): FileLock | LockHolder {
  requireDataDirectory(dataDir);
  return FileLock.tryAcquire(launcherLockPath(dataDir), note);
}

/** The process that has the launcher lock, or null. */
export function runningLauncher(dataDir: string): RunningLauncher | null {
  const holder = FileLock.holderOf(launcherLockPath(dataDir));
  return holder && { pid: holder.heldBy, note: noteIn(holder) };
}

/** The note of this process. */
export function ownNote({ databaseUrl, listeners }: Pick<LauncherConfig, 'databaseUrl' | 'listeners'>): LauncherNote {
  const { host, pathname } = new URL(databaseUrl ?? 'postgres:');
  return {
    release: RELEASE_WITH_COMMIT,
    program: ownProgram(),
    ports: listeners.map(({ port }) => port),
    database: databaseUrl === null ? 'the embedded PostgreSQL' : `PostgreSQL at ${host}${pathname}`,
    hands_over: true,
  };
}

/** The refusal of a start on a data directory that another process uses. */
export function inUse(dataDir: string, holder: LockHolder): StartRefused {
  const note = noteIn(holder);
  const facts = { path: dataDir, pid: String(holder.heldBy) };
  const isOther = note !== null && (note.release !== RELEASE_WITH_COMMIT || note.program !== ownProgram());
  if (!isOther) return StartRefused.because('data_directory_in_use', facts);
  return StartRefused.because('other_release_in_use', { ...facts, release: note.release });
}

/** The lock of an `upgrade`, until its apps are ready. Its note is the release that continues. @throws StartRefused */
export function takeUpgradeLock(dataDir: string): FileLock {
  requireDataDirectory(dataDir);
  const lock = FileLock.tryAcquire(upgradeLockPath(dataDir), RELEASE_WITH_COMMIT);
  if (lock instanceof FileLock) return lock;
  throw upgradeInProgress(dataDir, lock);
}

/** The upgrade that another process does, or null. */
export function runningUpgrade(dataDir: string): LockHolder | null {
  const holder = FileLock.holderOf(upgradeLockPath(dataDir));
  return holder?.heldBy === process.pid ? null : holder;
}

/** The lock of the launcher is free for a moment while one hands over to the next. @throws StartRefused */
export function refuseBesideUpgrade(dataDir: string): void {
  const upgrade = runningUpgrade(dataDir);
  if (upgrade !== null) throw upgradeInProgress(dataDir, upgrade);
}

/** The path of the lock. It exists from the start of Landlord until it has stopped. */
export const launcherLockPath = (dataDir: string): string => join(dataDir, 'launcher.lock');

const upgradeLockPath = (dataDir: string): string => join(dataDir, 'upgrade.lock');

const upgradeInProgress = (path: string, { heldBy }: LockHolder): StartRefused =>
  StartRefused.because('upgrade_in_progress', { path, pid: String(heldBy) });

const noteIn = ({ note }: LockHolder): LauncherNote | null => NOTE.safeParse(note).data ?? null;
