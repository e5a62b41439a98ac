// The documentation as a folder that each web server can serve, at the root of a host.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packFolder } from '../artifacts/pack-folder.mjs';
import { ROOT } from '../build-stamp.mjs';
import { writeLicences } from './licences.mjs';
import { packagesOf } from './packages-inside.mjs';
import { ReleaseRefused } from './release-facts.mjs';

const FOLDER = join(ROOT, 'site');

export const SITE = { name: 'site', make };

async function make({ facts, work, target }) {
  const { scope, version, time } = facts;
  install();
  const { buildSite } = await import('../../site/build.mjs');
  const sources = await buildSite({ to: work, version, source: process.env.RELEASE_SOURCE_URL });
  const inside = packagesOf(sources.map((path) => relative(ROOT, path)));
  writeLicences(work, inside);
  const title = `landlord-site-${version}`;
  packFolder(work, join(target, `${title}.tgz`), { prefix: title, time });
  return [{ title, name: `${scope}/site`, inside, outside: { packages: {} } }];
}

/** The generator of the site is in no other part of a checkout. */
function install() {
  if (existsSync(join(FOLDER, 'node_modules'))) return;
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', options, { cwd: FOLDER, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0)
    throw new ReleaseRefused(
      'npm ci failed in site/. It needs the npm registry. --only makes a release without the site.',
    );
}
