// The first step of every command that reads the clients, and of npm ci: writes the files of `generated/` again if something has changed
// that they are made from. Prints nothing. Does nothing without the sources or without the generator: an image installs before it
// has the sources, and npm ci --omit=dev brings no generator.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withBuildLock } from './build-lock.mjs';
import { DIST, ROOT } from './build-stamp.mjs';

const STAMP = join(DIST, '.generated-stamp');
const SCRIPTS = 'scripts/clients';
const DOCUMENTS = ['contract/openapi.main-api.json', 'contract/openapi.supervisor.json'];
const PROVIDER = 'packages/terraform-provider-landlord';
/** What the files are made from, besides the scripts. The lockfile has the release of the generator. */
export const INPUTS = [
  ...DOCUMENTS,
  ...['package.json', 'package-lock.json', 'packages/cli/package.json', 'libs/domain/src/secret-patterns.ts'],
  ...[`${PROVIDER}/operations.json`, `${PROVIDER}/schema.json`],
];
/** The folders that contain only generated files. */
export const TARGETS = ['sdk', 'cli', 'console'].map((name) => `packages/${name}/src/generated`);
const GENERATOR = 'node_modules/@hey-api/openapi-ts';

/** Whether the files are there and made from the current inputs, or nothing can be made here. */
export function isFresh() {
  if (![...DOCUMENTS, GENERATOR].every((path) => existsSync(join(ROOT, path)))) return true;
  try {
    return readFileSync(STAMP, 'utf8') === `${inputs()} ${outputs()}`;
  } catch {
    // There is no stamp, or a file has just gone because another process writes.
    return false;
  }
}

/** Waits for another process that writes the files or builds from them. */
export async function generateIfStale() {
  if (!isFresh()) await withBuildLock(async () => isFresh() || (await generate()));
}

async function generate() {
  const before = inputs();
  const { writeClients } = await import('./clients/clients.mjs');
  await writeClients(TARGETS);
  mkdirSync(DIST, { recursive: true });
  writeFileSync(STAMP, `${before} ${outputs()}`);
}

const inputs = () => hashOf([...INPUTS, ...filesIn(SCRIPTS)]);
const outputs = () => hashOf(TARGETS.flatMap(filesIn));

function filesIn(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${folder}/${name}`)
    .sort();
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

// Without await: the plugin of the Nest compiler requires this module.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) void generateIfStale();
