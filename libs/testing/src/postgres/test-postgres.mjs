/**
 * The JavaScript part of the test database, for the global setup and teardown. It only creates the directory, and later stops
 * the processes in it. The first suite that needs a database starts PostgreSQL (create-test-database.ts), so that runs without
 * a database do not start it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The environment variable that passes the directory of this run to the test workers. */
export const DIRECTORY_VARIABLE = 'LANDLORD_TEST_POSTGRES';
const PREFIX = 'landlord-jest-postgres-';
/** A disk in memory, on Linux. Creating and deleting the files of hundreds of databases takes longer on a real disk. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 2 ** 30;
const STOP_MS = 10_000;

/** Creates the directory of this run. Its name contains the pid of the process that owns it. */
export function openTestPostgres() {
  return realpathSync(mkdtempSync(join(parentDirectory(), `${PREFIX}${process.pid}-`)));
}

function parentDirectory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Stops PostgreSQL and the clouds in this directory without saving their data, and deletes the directory. */
export async function removeTestPostgres(directory) {
  await endClouds(directory);
  const data = join(directory, 'postgres', 'data');
  const deadline = performance.now() + STOP_MS;
  for (let signal = 'SIGQUIT'; isServing(postmasterPid(data), data); signal = 'SIGKILL') {
    sendSignal(postmasterPid(data), signal);
    const patience = performance.now() + 3_000;
    while (isServing(postmasterPid(data), data) && performance.now() < patience) await delay(20);
    if (performance.now() > deadline) throw new TestPostgresError(`The PostgreSQL in ${directory} does not stop.`);
  }
  // Its last child may still be writing.
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Deletes the directories of killed runs. */
export async function removeLeftovers() {
  for (const path of [MEMORY, tmpdir()].flatMap(runsIn)) {
    const pid = new RegExp(`/${PREFIX}(\\d+)-`).exec(path)?.[1];
    if (commandLine(Number(pid)).includes('jest')) continue;
    // Ignores failures for directories of other users. They do not conflict with this run.
    await removeTestPostgres(realpathSync(path)).catch(() => undefined);
  }
}

function runsIn(parent) {
  if (!existsSync(parent)) return [];
  const names = readdirSync(parent).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => join(parent, name));
}

/** Kills apps and agents of the clouds that suites of this run share. The argv of each process contains the folder. */
async function endClouds(directory) {
  const clouds = join(directory, 'clouds');
  if (!existsSync(clouds)) return;
  const deadline = performance.now() + STOP_MS;
  // Repeats the scan, because an agent may start a broker during it.
  for (let pids = processesOf(clouds); pids.length > 0; pids = processesOf(clouds)) {
    for (const pid of pids) sendSignal(pid, 'SIGKILL');
    if (performance.now() > deadline) throw new TestPostgresError(`The clouds in ${clouds} do not stop.`);
    await delay(20);
  }
}

function processesOf(folder) {
  return allPids().filter((pid) => pid !== process.pid && commandLine(pid).includes(`${folder}/`));
}

class TestPostgresError extends Error {
  name = 'TestPostgresError';
}

function postmasterPid(data) {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return 0;
  }
}

/** Whether the process serves this data. Another program may have the pid now. */
function isServing(pid, data) {
  return pid > 0 && ` ${commandLine(pid)} `.includes(` -D ${data} `);
}

/** Reads /proc where it exists, because small images have no ps. */
function commandLine(pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

function allPids() {
  if (process.platform === 'linux') return readdirSync('/proc').map(Number).filter(Number.isInteger);
  return execFileSync('ps', ['-ax', '-o', 'pid='], { encoding: 'utf8' }).trim().split('\n').map(Number);
}

function sendSignal(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended after the scan.
  }
}
