// The npm package of the command line alone.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packFolder } from '../artifacts/pack-folder.mjs';
import { ROOT } from '../build-stamp.mjs';
import { bundleCli } from '../clients/bundle-cli.mjs';
import { writeLicences } from './licences.mjs';
import { lockOf, packagesOf } from './packages-inside.mjs';

export const CLIENT = { name: 'cli', make };

async function make({ facts, work: folder, target }) {
  const { scope, version, license, commit, time } = facts;
  const [name, title] = [`${scope}/cli`, `${scope.slice(1)}-cli-${version}`];
  mkdirSync(folder, { recursive: true });
  const sources = await bundleCli(join(folder, 'dist'), commit);
  const { manifest, lock } = lockOf(
    {
      ...{ name, version, description: 'The command line of Landlord', license },
      engines: { node: '>=20.19' },
      bin: { landlord: 'bin/landlord.cjs' },
    },
    [],
    ['@napi-rs/keyring'],
  );
  mkdirSync(join(folder, 'bin'));
  cpSync(join(import.meta.dirname, 'client/landlord.cjs'), join(folder, 'bin/landlord.cjs'));
  cpSync(join(ROOT, 'packages/cli/README.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), `${JSON.stringify(lock, null, 2)}\n`);
  const inside = packagesOf(sources);
  writeLicences(folder, inside);
  packFolder(folder, join(target, `${title}.tgz`), { prefix: 'package', time });
  return [{ title, name, inside, outside: lock }];
}
