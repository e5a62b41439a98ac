import { sizeOf, tailOf, readFileIfAnySync, writePrivateFileSync, until } from '@libs/host/os';
import { LauncherError } from '../launcher-error.js';
import type { ClusterFiles } from './cluster-files.js';
import { findFreePort } from './free-port.js';
import { clearRemains, findPostmaster, spawnPostmaster } from './postmaster.js';
import type { RunAs } from './run-as.js';

const STARTS = 5;
/** Recovery of a long write-ahead log may take this long, in milliseconds. */
export const READY_MS = 120_000;

/**
 * Starts a postmaster on these files and waits until it accepts connections. Returns its port: the one of the last start if it
 * is free. Makes several attempts, because another program can take the port between the check and PostgreSQL's bind. Throws
 * LauncherError with the end of PostgreSQL's log when it does not start.
 */
export async function startPostmaster(way: RunAs, files: ClusterFiles): Promise<number> {
  const logStart = sizeOf(files.log);
  for (let attempt = 1; attempt <= STARTS; attempt += 1) {
    await clearRemains(files);
    const port = await findFreePort(notedPort(files));
    const { died } = spawnPostmaster(way, files, port);
    if (await comesUp(files, died)) {
      if (port !== notedPort(files)) writePrivateFileSync(files.port, String(port));
      return port;
    }
  }
  throw new LauncherError(
    `PostgreSQL does not start. The last lines of ${files.log}:\n${tailOf(files.log, 15, logStart)}`,
  );
}

async function comesUp(files: ClusterFiles, died: Promise<void>): Promise<boolean> {
  const life = { over: false };
  void died.then(() => (life.over = true));
  await until(() => life.over || findPostmaster(files)?.status === 'ready', { timeoutMs: READY_MS, everyMs: 20 });
  return !life.over && findPostmaster(files)?.status === 'ready';
}

function notedPort(files: ClusterFiles): number | null {
  const port = Number(readFileIfAnySync(files.port));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}
