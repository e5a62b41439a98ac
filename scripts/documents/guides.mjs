// The guides of an installation: the documents for users and operators as pages, which the main API serves below /guides.
import { posix } from 'node:path';
import { Marked } from 'marked';
import { documentsBelow, slugOf, textsOf } from './pages.mjs';

/** Documents about the project itself, and records of decisions, are on the site of a release. */
const PROJECT =
  /^docs\/(decisions\/|pictures\/|(architecture|benchmarks|extending|language|onboarding|stack|testing|CODE_OF_CONDUCT|GOVERNANCE|ROADMAP|SUPPORT)\.md)/;
const FIRST = [
  'index',
  'requests',
  'cli',
  'deployments',
  'installation',
  'operating',
  'configuration',
  'contract/index',
];

/** The pages: [{ name, html }], with the name below /guides, such as `deployments` or `contract/06-api-keys`. */
export function guides() {
  const texts = textsOf(
    new Map(
      documentsBelow('docs')
        .filter((path) => !PROJECT.test(path))
        .map((path) => [path, pageOf(path)]),
    ),
  );
  const menu = FIRST.map((name) => [name, titleOf(texts.get(`${name}.md`))]);
  return [...texts].map(([page, text]) => {
    const name = page.replace(/\.md$/, '');
    return { name, html: framed({ name, title: titleOf(text), content: rendered(text, page), menu }) };
  });
}

const pageOf = (path) => path.replace(/^docs\/(guides\/)?/, '').replace(/(^|\/)README\.md$/, '$1index.md');
const titleOf = (text) => /^# (.+)$/m.exec(text)[1].replaceAll('`', '');
const addressOf = (name) => `/guides/${name.replace(/(^|\/)index$/, '$1')}`;

function rendered(text, page) {
  const ids = new Map();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: title }) {
        return `<h${depth} id="${idOf(title, ids)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(linkOf(href, page))}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  // A table or a block can be wider than a window. It scrolls by itself, also with the keys.
  return marked
    .parse(text)
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

/** The id of a heading. `ids`: how often the page has each. */
function idOf(title, ids) {
  const id = slugOf(title);
  const count = ids.get(id) ?? 0;
  ids.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

function linkOf(href, page) {
  if (/^(#|[a-z]+:)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const name = posix.join(posix.dirname(page), path).replace(/\.md$/, '');
  return `${addressOf(name)}${anchor ? `#${anchor}` : ''}`;
}

const framed = ({ name, title, content, menu }) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)} · Landlord</title>
    <script src="/console/theme.js"></script>
    <link rel="stylesheet" href="/console/guides.css" />
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header><a href="/console/">Landlord</a><a href="/docs">API</a></header>
    <nav aria-label="Guides">${menu.map((entry) => linkInMenu(entry, name)).join('')}</nav>
    <main id="main">
${content}    </main>
  </body>
</html>
`;

const linkInMenu = ([name, title], current) =>
  `<a href="${addressOf(name)}"${name === current ? ' aria-current="page"' : ''}>${escaped(title)}</a>`;

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
