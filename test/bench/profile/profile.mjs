// Profiles a server of the bench while it answers requests.
import { once } from 'node:events';
import { existsSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { round } from '../measure.mjs';
import { readableProfile, summarizeProfile } from './summarize.mjs';

const MOST_ROWS = 20;

/** The environment of a server that `profile` can profile. */
export const profiled = (folder) => ({
  NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/bench/profile/profiled.mjs')).href}`,
  PROFILE_FILE: join(folder, 'bench.cpuprofile'),
});

/** Microseconds of each request by owner, while `work` runs. `work` resolves with the number of requests. */
export async function profile(child, folder, work) {
  const { PROFILE_FILE } = profiled(folder);
  child.kill('SIGWINCH');
  const requests = await work();
  const written = fileAppears(PROFILE_FILE);
  child.kill('SIGWINCH');
  await written;
  const rows = summarizeProfile(PROFILE_FILE, requests);
  return rows.slice(0, MOST_ROWS).map(({ owner, micros }) => ({ owner, micros: round(micros, 1) }));
}

/** Keeps the profile of a bench after its folder is removed. Returns the path, or null when the bench made no profile. */
export function keepProfile(folder, name) {
  const { PROFILE_FILE } = profiled(folder);
  if (!existsSync(PROFILE_FILE)) return null;
  const kept = join(tmpdir(), `landlord-${name}.cpuprofile`);
  writeFileSync(kept, JSON.stringify(readableProfile(PROFILE_FILE)));
  return kept;
}

/** The profiler writes to another name first, so that a file with this name is complete. */
async function fileAppears(file) {
  const watcher = watch(dirname(file));
  while (!existsSync(file)) await once(watcher, 'change');
  watcher.close();
}
