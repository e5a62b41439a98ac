// The pages of the site: all documents of the checkout, and those of this folder.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../scripts/build-stamp.mjs';
import { documentsBelow, textsOf } from '../scripts/documents/pages.mjs';

/** Documents outside docs/, and their pages. */
const OTHERS = {
  'CHANGELOG.md': 'project/changelog.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'SECURITY.md': 'project/security.md',
};
/** The README of a driver contains its decision records, so that the search finds all records. */
const DRIVERS = /^libs\/(host\/src\/brokers\/\w+|cloud\/src\/\w+|workflow|cloud)\/README\.md$/;

/** Writes all pages into the folder `target`, which is new. `source` is the address of the folder of this commit at a forge, or undefined. */
export function writePages({ target, source }) {
  rmSync(target, { recursive: true, force: true });
  for (const [page, text] of textsOf(pagesOf(), { source })) {
    mkdirSync(dirname(join(target, page)), { recursive: true });
    writeFileSync(join(target, page), text);
  }
  cpSync(join(import.meta.dirname, 'pages'), target, { recursive: true });
  cpSync(join(ROOT, 'docs/pictures'), join(target, 'public/pictures'), { recursive: true });
}

/** The path of each document in the checkout, and that of its page. */
const pagesOf = () =>
  new Map([
    ...Object.entries(OTHERS),
    ...documentsBelow('docs').map((path) => [path, pageOf(path)]),
    ...documentsBelow('libs')
      .filter((path) => DRIVERS.test(path))
      .map((path) => [path, `drivers/${path.split('/').at(-2)}.md`]),
  ]);

const pageOf = (path) => path.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md');
