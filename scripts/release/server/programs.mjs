// Starts Landlord from a copy of this package in the data directory. npx's cache may be deleted at any time, and agents, brokers and
// apps must go on. The copy has the hash of its files as its name, so that the programs of two releases stay apart.
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGE = resolve(import.meta.dirname, '..');
const MAIN = 'dist/libs/launcher/src/main.js';
/** Verbs that start processes. Every other verb runs from here. */
const STARTS = ['start', 'upgrade', 'demo'];
/** As docs/failed-starts.md says: the same start can succeed later, or a person must change something first. */
const EXIT = { later: 75, change: 78 };

/** Runs the words of this process. */
export async function run() {
  process.env.LANDLORD_DATA_DIR ||= join(homedir(), '.landlord');
  const verb = process.argv.slice(2).find((word) => !word.startsWith('-'));
  const isStart = STARTS.includes(verb);
  if (isStart) await import('./require-memory.mjs');
  const main = join(isStart ? programs() : PACKAGE, MAIN);
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
}

/** The folder of the copy. Says in one sentence why there can be none. */
function programs() {
  const parent = resolve(process.env.LANDLORD_DATA_DIR, 'programs');
  const folder = join(parent, readFileSync(join(PACKAGE, 'programs.sha256'), 'utf8').trim().slice(0, 16));
  if (existsSync(folder)) {
    // A launcher that removes old copies keeps the youngest.
    utimesSync(folder, new Date(), new Date());
    return folder;
  }
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(parent, { recursive: true });
    cpSync(PACKAGE, draft, { recursive: true, filter: (path) => path !== join(PACKAGE, 'node_modules') });
    for (const [name, from] of packages())
      cpSync(from, join(draft, 'node_modules', name), { recursive: true, verbatimSymlinks: true });
    renameSync(draft, folder);
  } catch (error) {
    if (existsSync(draft)) rmSync(draft, { recursive: true, force: true });
    // Another start has made the same copy at the same time.
    if (existsSync(folder)) return folder;
    console.error(
      `Landlord cannot copy its programs to ${folder}: ${(refusalOf(parent) ?? error).message}. Set LANDLORD_DATA_DIR to a directory with room for 200 MB.`,
    );
    process.exit(error.code === 'ENOSPC' ? EXIT.later : EXIT.change);
  }
  return folder;
}

/** Why nothing can be written below the folder, or null. Node.js says of a read-only disk that a folder does not exist. */
function refusalOf(folder) {
  if (!existsSync(folder)) return refusalOf(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch (error) {
    return error;
  }
}

/** The packages that npm has installed for this one, wherever they lie, with those that they need. */
function packages() {
  const places = new Map();
  const add = (folder) => {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(name, folder);
      if (place === null || places.has(name)) continue;
      places.set(name, place);
      add(place);
    }
  };
  add(PACKAGE);
  return places;
}

function placeOf(name, folder) {
  const folders = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? [];
  return folders.map((one) => join(one, name)).find((one) => existsSync(join(one, 'package.json'))) ?? null;
}
