/**
 * The plain part of the test database: Jest loads its global setup and teardown outside its own module system, so no
 * TypeScript here. It only makes the place, and later stops what runs there; the first suite that asks for a database
 * starts PostgreSQL (create-test-database.ts), so that runs without one do not pay for it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Names the directory of this run to the test workers. */
export const DIRECTORY_VARIABLE = 'LANDLORD_TEST_POSTGRES';
const PREFIX = 'landlord-test-postgres-';
const STOP_MS = 10_000;

/** Makes the directory of this run; its name tells which process answers for it. */
export function openTestPostgres() {
  return realpathSync(mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)));
}

/** Stops what runs in this directory, PostgreSQL and clouds, without a care for its data, and removes the directory. */
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

/** Removes what killed runs left behind. */
export async function removeLeftovers() {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || commandLine(Number(pid)).includes('vitest')) continue;
    // Another user's leftovers are that user's business; they are in nobody's way.
    await removeTestPostgres(realpathSync(join(tmpdir(), name))).catch(() => undefined);
  }
}

/** Apps and agents of the clouds that suites of this run have passed on to each other; all of them are told their folder. */
async function endClouds(directory) {
  const clouds = join(directory, 'clouds');
  if (!existsSync(clouds)) return;
  const deadline = performance.now() + STOP_MS;
  // Again and again, since an agent may be starting a broker while we look.
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

/** A pid that another program got since does not serve this data. */
function isServing(pid, data) {
  return pid > 0 && ` ${commandLine(pid)} `.includes(` -D ${data} `);
}

/** From /proc where there is one: small images have no ps. */
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
    // It ended between the question and the signal.
  }
}
