// npm run release: makes a release of this commit in release/<version>. With RELEASE_SIGNING_KEY, the path of a private key of ssh-keygen, the sums
// are signed. The same commit becomes the same bytes in every folder. Exit code 2: the release is refused.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildFailed, build } from '../build.mjs';
import { withBuildLock } from '../build-lock.mjs';
import { isFresh, ROOT } from '../build-stamp.mjs';
import { generateIfStale } from '../generate-if-stale.mjs';
import { packClient } from './npm-client.mjs';
import { packServer } from './npm-server.mjs';
import { ReleaseRefused, releaseFacts } from './release-facts.mjs';
import { sbomOf } from './sbom.mjs';
import { writeSums } from './sums.mjs';

const PACKAGES = [
  { name: 'server', pack: packServer },
  { name: 'cli', pack: packClient },
];

async function release() {
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
    for (const { name, pack } of PACKAGES) {
      const title = `${facts.scope.slice(1)}-${name}-${facts.version}`;
      const file = join(target, `${title}.tgz`);
      const parts = await pack({ facts, folder: join(work, name), file });
      const sbom = sbomOf({ facts, name: `${facts.scope}/${name}`, ...parts });
      writeFileSync(join(target, `${title}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  writeSums(target, process.env.RELEASE_SIGNING_KEY || undefined);
  for (const name of readdirSync(target))
    console.log(`${String(statSync(join(target, name)).size).padStart(10)}  ${join('release', facts.version, name)}`);
  if (!process.env.RELEASE_SIGNING_KEY) console.log('The sums are not signed: RELEASE_SIGNING_KEY names no key.');
}

try {
  await release();
} catch (error) {
  if (!(error instanceof ReleaseRefused || error instanceof BuildFailed)) throw error;
  console.error(error.message);
  process.exit(2);
}
