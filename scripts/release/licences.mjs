// The licences of the packages inside of a bundle. Bundles have no comments.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';

const TEXT = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Writes LICENSE and NOTICE of Landlord, and THIRD-PARTY-LICENSES with the texts of the packages. */
export function writeLicences(folder, packages) {
  for (const name of ['LICENSE', 'NOTICE']) writeFileSync(join(folder, name), readFileSync(join(ROOT, name)));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), packages.map(licenceOf).join('\n'));
}

function licenceOf({ path, name, version, license }) {
  const texts = textsIn(join(ROOT, path));
  const title = `${name} ${version} (${license})`;
  return [title, '='.repeat(title.length), '', ...texts, ''].join('\n');
}

const textsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => TEXT.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
