// The documents as pages of a site: the same texts, with links that work there.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../build-stamp.mjs';

const LINK = /(?<!!)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;
const FENCE = /^(```+).*?^\1\s*$/gms;

/** The Markdown documents below a folder of the checkout. */
export const documentsBelow = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path))
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .sort();

/**
 * The text of each page by its path. `pages`: the path of each page by that of its document. A link to a document that is no page, or to
 * code, leads to `source`, the address of this commit at a forge. Without `source` it becomes the path of the file. Throws for a link to nothing.
 */
export function textsOf(pages, { source } = {}) {
  const textOf = ([path, page]) => [
    page,
    outsideFences(readFileSync(join(ROOT, path), 'utf8'), (text) => relinked(text, { path, page, pages, source })),
  ];
  return new Map([...pages].map(textOf));
}

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

function linkOf(label, href, { path, page, pages, source }) {
  const [file, anchor] = href.split('#');
  const destination = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '');
  const linked = pages.get(destination) ?? pages.get(posix.join(destination, 'README.md'));
  if (linked) return `[${label}](${relativeTo(page, linked)}${anchor ? `#${anchor}` : ''})`;
  if (destination === 'README.md') return `[${label}](${relativeTo(page, 'index.md')})`;
  if (!existsSync(join(ROOT, destination))) throw new Error(`${path} has a link to ${href}, which does not exist.`);
  const isFolder = statSync(join(ROOT, destination)).isDirectory();
  if (source) return `[${label}](${source}/${destination}${isFolder ? '/' : ''})`;
  return label.includes(posix.basename(destination)) ? label : `${label} (\`${destination}\`)`;
}

const relativeTo = (page, other) => {
  const path = posix.relative(posix.dirname(page), other);
  return path.startsWith('.') ? path : `./${path}`;
};

/** The id of a heading with this text, as a forge makes it: links between documents name these. The second one of a page gets `-1`. */
export const slugOf = (title) =>
  title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
