// npm run test:nodes [-- <suite> ...]: runs suites of scripts/test.mjs with each other release of Node that
// package.json supports. By default it runs the slow test of `npm start`. The npm package `node` contains the releases.
// The last line is `N passed, N failed`. Exit code 3: the npm registry does not have a release.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build-stamp.mjs';

const RELEASES = [22, 24];
const SKIPPED = 3;
const suites = process.argv.length > 2 ? process.argv.slice(2) : ['smoke:start'];

const verdicts = RELEASES.map((release) => {
  const node = install(release);
  const { stdout: version } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  console.log(`\n--- Node ${version.trim()}`);
  const { status } = spawnSync(node, ['scripts/test.mjs', ...suites], { cwd: ROOT, stdio: 'inherit' });
  return status === 0;
});
const failed = verdicts.filter((isGood) => !isGood).length;
console.log(`${verdicts.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Installs the program of a release in a separate folder under .landlord; returns its path. */
function install(release) {
  const folder = join(ROOT, '.landlord/packages', `node-${release}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['install', '--no-audit', '--no-fund', '--no-save', `node@${release}`];
  const { status, stderr } = spawnSync('npm', options, { cwd: folder, encoding: 'utf8' });
  if (status === 0) return join(folder, 'node_modules/node/bin/node');
  console.error(`Node ${release} is not available from the npm registry: ${stderr.trim().split('\n').at(-1)}`);
  process.exit(SKIPPED);
}
