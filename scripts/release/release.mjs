// npm run release [-- --only server,chart --to <folder>]: makes a release of this commit in release/<version>. With RELEASE_SIGNING_KEY, the path of a private key
// of ssh-keygen, the sums are signed. The same commit becomes the same bytes in every folder. Exit code 2: the release is refused.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BuildFailed, build } from '../build.mjs';
import { withBuildLock } from '../build-lock.mjs';
import { isFresh, ROOT } from '../build-stamp.mjs';
import { generateIfStale } from '../generate-if-stale.mjs';
import { CHART } from './chart.mjs';
import { COMPOSE } from './compose.mjs';
import { IMAGE } from './image/image.mjs';
import { CLIENT } from './npm-client.mjs';
import { SERVER } from './npm-server.mjs';
import { ReleaseRefused, releaseFacts } from './release-facts.mjs';
import { sbomOf } from './sbom.mjs';
import { SITE } from './site.mjs';
import { writeSums } from './sums.mjs';
import { TERRAFORM } from './terraform/provider.mjs';

/**
 * What a release consists of. `make({ facts, work, target })` writes the files of an artifact into the folder `target`. `work` is a folder
 * that nothing needs afterwards. It returns the parts of each file that contains foreign code: { title, name, inside, outside }, for sbomOf.
 * `title` is the file without its ending.
 */
const ARTIFACTS = [SERVER, CLIENT, IMAGE, COMPOSE, CHART, SITE, TERRAFORM];

async function release({ artifacts, to }) {
  const facts = releaseFacts();
  const target = to ?? join(ROOT, 'release', facts.version);
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
    console.log(`${String(statSync(join(target, name)).size).padStart(10)}  ${relative(ROOT, join(target, name))}`);
  if (!process.env.RELEASE_SIGNING_KEY) console.log('The sums are not signed: RELEASE_SIGNING_KEY names no key.');
}

/** The artifacts of --only, or all, and the folder of --to. */
function chosen(args) {
  const names = ARTIFACTS.map(({ name }) => name);
  const { only, to } = optionsOf(args, names);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new ReleaseRefused(`There is no artifact ${unknown.join()}, only ${names.join()}.`);
  return { artifacts: ARTIFACTS.filter(({ name }) => only.includes(name)), to: to && resolve(to) };
}

function optionsOf(args, names) {
  try {
    const options = { only: { type: 'string', default: names.join() }, to: { type: 'string' } };
    const { only, to } = parseArgs({ args, options }).values;
    return { only: only.split(','), to };
  } catch (error) {
    throw new ReleaseRefused(
      `${error.message} The options are --only, with names of ${names.join()}, and --to, a folder.`,
    );
  }
}

try {
  await release(chosen(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof ReleaseRefused || error instanceof BuildFailed)) throw error;
  console.error(error.message);
  process.exit(2);
}
