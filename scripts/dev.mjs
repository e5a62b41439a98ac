// npm run dev: starts Landlord, and after each change of a source builds and restarts it. After a failed build,
// Landlord keeps running the last good build. Ctrl-C stops both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { DIST, ROOT } from './build-stamp.mjs';

const BUILD = join(ROOT, 'scripts/build-if-stale.mjs');
const START = [join(DIST, 'libs/launcher/src/main.js'), 'start', ...process.argv.slice(2)];
/** Files that no build reads. */
const IGNORED = /\.(spec|matrix|proof|fixture)\.ts$|(^|[/\\])\.|~$/;
/** An editor writes several files at once, and each file several times. */
const QUIET_MS = 200;

let landlord = null;
let isBusy = false;
let hasChanged = false;
let quiet;
let stopping = false;

const watchers = ['apps', 'libs'].map((folder) =>
  watch(join(ROOT, folder), { recursive: true }, (_event, file) => {
    if (file !== null && IGNORED.test(file)) return;
    clearTimeout(quiet);
    quiet = setTimeout(changed, QUIET_MS);
  }),
);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
await changed();

/** Builds and restarts until the running Landlord has the current sources. */
async function changed() {
  hasChanged = true;
  if (isBusy) return;
  isBusy = true;
  while (hasChanged && !stopping) {
    hasChanged = false;
    if (await isBuilt()) await restart();
    else console.log('Waiting for a change that builds.');
  }
  isBusy = false;
}

async function isBuilt() {
  const [code] = await once(spawn(process.execPath, [BUILD], { cwd: ROOT, stdio: 'inherit' }), 'close');
  return code === 0;
}

async function restart() {
  await end();
  if (stopping) return;
  landlord = spawn(process.execPath, START, { stdio: 'inherit' });
}

/** Stops Landlord and waits until its process has ended: the next one needs its ports. */
async function end() {
  const running = landlord;
  landlord = null;
  if (running === null || running.exitCode !== null || running.signalCode !== null) return;
  const closed = once(running, 'close');
  running.kill('SIGTERM');
  await closed;
}

async function stop() {
  stopping = true;
  clearTimeout(quiet);
  for (const one of watchers) one.close();
  await end();
}
