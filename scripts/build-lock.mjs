// Two commands may find the same stale build (`npm start` and `npm test`): one builds, the other waits for it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DIST } from './build-stamp.mjs';

const LOCK = join(DIST, '.build.lock');
const PATIENCE_MS = 5 * 60_000;

/** Runs `work` while no other process builds in this checkout. */
export async function withBuildLock(work) {
  mkdirSync(DIST, { recursive: true });
  const deadline = Date.now() + PATIENCE_MS;
  while (!take()) {
    if (Date.now() > deadline) throw new BuildLockHeld(`Another build holds ${LOCK}.`);
    await delay(100);
  }
  try {
    return await work();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

class BuildLockHeld extends Error {
  name = 'BuildLockHeld';
}

function take() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHeld()) rmSync(LOCK, { force: true });
    return false;
  }
}

/** A killed builder leaves its lock behind. An empty file is a lock that is just being written. */
function isHeld() {
  try {
    const pid = Number(readFileSync(LOCK, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
