// npm run release [-- --only server,chart]: makes a release of this commit in release/<version>. With RELEASE_SIGNING_KEY, the path of a private key
// of ssh-keygen, the sums are signed. The same commit becomes the same bytes in every folder. Exit code 2: the release is refused.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BuildFailed, build } from '../build.mjs';
import { withBuildLock } from '../build-lock.mjs';
import { isFresh, ROOT } from '../build-stamp.mjs';
import { generateIfStale } from '../generate-if-stale.mjs';
import { CHART } from './chart.mjs';
import { CLIENT } from './npm-client.mjs';
import { SERVER } from './npm-server.mjs';
import { ReleaseRefused, releaseFacts } from './release-facts.mjs';
import { sbomOf } from './sbom.mjs';
import { writeSums } from './sums.mjs';

/**
 * What a release consists of. `make({ facts, work, target })` writes the files of an artifact into the folder `target`. `work` is a folder
 * that nothing needs afterwards. It returns the parts of each file that contains foreign code: { title, name, inside, outside }, for sbomOf.
 * `title` is the file without its ending.
 */
const ARTIFACTS = [SERVER, CLIENT, CHART];

async function release(artifacts) {
  const facts = releaseFacts();
  const target = join(ROOT, 'release', facts.version);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await generateIfStale();
  await withBuildLock(async () => {
    if (!isFresh()) await build();
  });
  // Node reads CommonJS and modules of ES by the next package.json above, so no folder of the checkout is one above.
  const work = mkdtempSync(join(tmpdir(), 'landlord-release-'));
  try {
    for (const { name, make } of artifacts)
      for (const { title, ...parts } of await make({ facts, work: join(work, name), target }))
        writeFileSync(join(target, `${title}.cdx.json`), `${JSON.stringify(sbomOf({ facts, ...parts }), null, 2)}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  writeSums(target, process.env.RELEASE_SIGNING_KEY || undefined);
  for (const name of readdirSync(target))
    console.log(`${String(statSync(join(target, name)).size).padStart(10)}  ${join('release', facts.version, name)}`);
  if (!process.env.RELEASE_SIGNING_KEY) console.log('The sums are not signed: RELEASE_SIGNING_KEY names no key.');
}

/** The artifacts of --only, or all. */
function chosen(args) {
  const names = ARTIFACTS.map(({ name }) => name);
  let only;
  try {
    only = parseArgs({ args, options: { only: { type: 'string', default: names.join() } } }).values.only.split(',');
  } catch (error) {
    throw new ReleaseRefused(`${error.message} The only option is --only, with names of ${names.join()}.`);
  }
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new ReleaseRefused(`There is no artifact ${unknown.join()}, only ${names.join()}.`);
  return ARTIFACTS.filter(({ name }) => only.includes(name));
}

try {
  await release(chosen(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof ReleaseRefused || error instanceof BuildFailed)) throw error;
  console.error(error.message);
  process.exit(2);
}
