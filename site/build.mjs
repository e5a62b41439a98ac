// node site/build.mjs [--to <folder>] [--version <version>] [--source <address>]: builds the site of this checkout into <folder>/<version>. The folder may contain
// the sites of other releases: its start page leads to the newest one, and each page has a list of all. Needs `npm ci` in site/.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { ROOT } from '../scripts/build-stamp.mjs';
import { writePages } from './pages.mjs';

const SITE = import.meta.dirname;
/** It is a file of its own beside the pages. */
const RENDERER = join(SITE, 'node_modules/@scalar/api-reference/dist/browser/standalone.js');
const RELEASE = /^(\d+)\.(\d+)\.(\d+)$/;

const { version: current } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/**
 * `to`: the folder of all versions. `source`: the address of the folder of this commit at a forge, for links to code. Returns the paths of the
 * modules that the pages contain.
 */
export async function buildSite({ to, version = current, source }) {
  const modules = join(SITE, '.pages/modules.txt');
  writePages({ target: dirname(modules), source });
  writeReference(join(SITE, '.pages/public/reference'));
  // The settings of VitePress read these.
  Object.assign(process.env, { SITE_VERSION: version, SITE_OUT: join(to, version), SITE_MODULES: modules });
  await build(SITE);
  writeStart(to);
  return [...new Set([RENDERER, ...readFileSync(modules, 'utf8').trim().split('\n')])];
}

/** The two API descriptions with the addresses of a Landlord on this machine, and the program that shows them. */
function writeReference(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [app, port] of Object.entries({ 'main-api': 3000, supervisor: 4000 })) {
    const description = JSON.parse(readFileSync(join(ROOT, `contract/openapi.${app}.json`), 'utf8'));
    const servers = [{ url: `http://localhost:${port}` }];
    writeFileSync(join(folder, `${app}.json`), JSON.stringify({ ...description, servers }));
  }
  cpSync(RENDERER, join(folder, 'reference.js'));
}

/** The list of versions, newest first, and the start page. */
function writeStart(folder) {
  const versions = readdirSync(folder)
    .filter((name) => RELEASE.test(name))
    .sort(newestFirst);
  writeFileSync(join(folder, 'versions.json'), `${JSON.stringify(versions)}\n`);
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Landlord</title><meta http-equiv="refresh" content="0; url=./${versions[0]}/"><a href="./${versions[0]}/">Landlord ${versions[0]}</a>\n`,
  );
}

function newestFirst(a, b) {
  const [first, second] = [a, b].map((version) => RELEASE.exec(version).slice(1).map(Number));
  const index = first.findIndex((number, at) => number !== second[at]);
  return index < 0 ? 0 : second[index] - first[index];
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: join(SITE, 'dist') },
      version: { type: 'string' },
      source: { type: 'string' },
    },
  });
  await buildSite({ ...values, to: resolve(values.to) });
}
