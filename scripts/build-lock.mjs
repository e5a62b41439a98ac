// Two commands may find the same stale build (`npm start` and `npm test`): one builds, the other waits for it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DIST } from './build-stamp.mjs';

const LOCK = join(DIST, '.build.lock');
const PATIENCE_MS = 5 * 60_000;

/** Runs `work` while no other process builds in this checkout. */
export const withBuildLock = (work) => withLock(LOCK, work);

/** Runs `work` while no other process holds the lock, which is a file. */
export async function withLock(lock, work) {
  mkdirSync(dirname(lock), { recursive: true });
  const deadline = Date.now() + PATIENCE_MS;
  while (!take(lock)) {
    if (Date.now() > deadline) throw new LockHeld(`Another process holds ${lock}.`);
    await delay(100);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

class LockHeld extends Error {
  name = 'LockHeld';
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

/** A killed builder leaves its lock behind. An empty file is a lock that is just being written. */
function isHeld(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
