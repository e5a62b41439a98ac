// The pages of the site: the documents of the checkout, as they are, with links that work outside of it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** Documents outside docs/, and their pages. */
const OTHERS = {
  'CHANGELOG.md': 'project/changelog.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'SECURITY.md': 'project/security.md',
};
/** README of a driver contains its decision records, so that the search finds all records. */
const DRIVERS = /^libs\/(host\/src\/brokers\/\w+|cloud\/src\/\w+|workflow|cloud)\/README\.md$/;
const LINK = /(?<!!)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;
const FENCE = /^(```+).*?^\1\s*$/gms;

/**
 * Writes all pages into the empty folder `target`. `source` is the address of a folder of this commit at a forge, or undefined: then a
 * link to code becomes the path of the file.
 */
export function writePages({ root, target, source }) {
  rmSync(target, { recursive: true, force: true });
  const pages = pagesOf(root);
  for (const [path, page] of pages) {
    const file = join(target, page);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      outsideFences(readFileSync(join(root, path), 'utf8'), (text) =>
        relinked(text, { root, path, page, pages, source }),
      ),
    );
  }
  cpSync(join(import.meta.dirname, 'pages'), target, { recursive: true });
  cpSync(join(root, 'docs/pictures'), join(target, 'public/pictures'), { recursive: true });
}

/** The path of each document in the checkout, and that of its page. */
function pagesOf(root) {
  const pages = new Map(Object.entries(OTHERS));
  for (const path of filesBelow(root, 'docs'))
    if (path.endsWith('.md')) pages.set(path, pageOf(path.slice('docs/'.length)));
  for (const path of filesBelow(root, 'libs'))
    if (DRIVERS.test(path)) pages.set(path, `drivers/${path.split('/').at(-2)}.md`);
  return pages;
}

const pageOf = (path) => path.replace(/(^|\/)README\.md$/, '$1index.md');

const filesBelow = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path))
    .sort();

/** Code blocks stay as they are. */
function outsideFences(text, change) {
  let end = 0;
  let result = '';
  for (const fence of text.matchAll(FENCE)) {
    result += change(text.slice(end, fence.index)) + fence[0];
    end = fence.index + fence[0].length;
  }
  return result + change(text.slice(end));
}

const relinked = (text, place) =>
  text.replace(LINK, (link, label, href) => (/^(#|[a-z]+:)/.test(href) ? link : linkOf(label, href, place)));

function linkOf(label, href, { root, path, page, pages, source }) {
  const [file, anchor] = href.split('#');
  const destination = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '');
  const folderPage = posix.join(destination, 'README.md');
  const linked = pages.get(destination) ?? pages.get(folderPage);
  if (linked) return `[${label}](${relativeTo(page, linked)}${anchor ? `#${anchor}` : ''})`;
  if (destination === 'README.md') return `[${label}](${relativeTo(page, 'index.md')})`;
  if (!existsSync(join(root, destination))) throw new Error(`${path} has a link to ${href}, which does not exist.`);
  if (source)
    return `[${label}](${source}/${destination}${statSync(join(root, destination)).isDirectory() ? '/' : ''})`;
  return label.includes(posix.basename(destination)) ? label : `${label} (\`${destination}\`)`;
}

const relativeTo = (page, other) => {
  const path = posix.relative(posix.dirname(page), other);
  return path.startsWith('.') ? path : `./${path}`;
};
