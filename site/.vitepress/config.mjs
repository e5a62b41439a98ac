// The settings of VitePress. build.mjs sets the variables.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import llms from 'vitepress-plugin-llms';
import { slugOf } from '../../scripts/documents/pages.mjs';

const version = process.env.SITE_VERSION ?? 'next';
const pages = join(import.meta.dirname, '../.pages');

/** The title of a page is its first heading. */
const titleOf = (path) =>
  /^# (.+)$/m.exec(readFileSync(join(pages, `${path}.md`), 'utf8'))?.[1].replaceAll('`', '') ?? path;
const links = (...paths) => paths.map((path) => ({ text: titleOf(path), link: `/${path.replace(/index$/, '')}` }));
const part = (text, ...paths) => ({ text, items: links(...paths) });

const USERS = [
  part(
    'Guides',
    ...['guides/index', 'guides/requests', 'guides/cli', 'guides/deployments', 'guides/accounts-and-keys'],
    ...[
      'guides/notifications',
      'guides/customer-accounts',
      'guides/private-connections',
      'guides/billing',
      'guides/mcp',
    ],
  ),
  {
    text: 'Reference',
    items: [
      { text: 'Main API', link: '/reference/main-api' },
      { text: 'Supervisor API', link: '/reference/supervisor' },
      ...links('contract/index'),
    ],
  },
];
const OPERATORS = [
  part(
    'Install',
    'installation',
    'containers',
    'configuration',
    'failed-starts',
    'guides/aws',
    'guides/gcp',
    'releases',
  ),
  part('Operate', 'operating', 'monitoring/index', 'scaling', 'benchmarks', 'faults', 'security', 'connectors'),
];
const DEVELOPERS = [
  part('Develop', 'architecture', 'extending', 'onboarding', 'testing', 'stack', 'language', 'project/contributing'),
  part(
    'Decisions',
    'decisions/index',
    'drivers/iggy',
    'drivers/nats',
    'drivers/embedded',
    'drivers/aws',
    'drivers/gcp',
  ),
  part('Project', 'project/changelog', 'ROADMAP', 'SUPPORT', 'GOVERNANCE', 'CODE_OF_CONDUCT', 'project/security'),
];
const ALL = [...USERS, ...OPERATORS, ...DEVELOPERS];
const sidebar = Object.fromEntries([
  ...['guides', 'contract', 'reference'].map((folder) => [`/${folder}/`, USERS]),
  ['/guides/aws', OPERATORS],
  ['/guides/gcp', OPERATORS],
  ...['decisions', 'drivers', 'project'].map((folder) => [`/${folder}/`, DEVELOPERS]),
  ...OPERATORS.flatMap(({ items }) => items.map(({ link }) => [link, OPERATORS])),
  ...DEVELOPERS.flatMap(({ items }) => items.map(({ link }) => [link, DEVELOPERS])),
  ['/', ALL],
]);

export default {
  title: 'Landlord',
  description: 'A self-hosted cloud for a message-streaming broker',
  lang: 'en',
  base: `/${version}/`,
  srcDir: '.pages',
  outDir: process.env.SITE_OUT,
  cleanUrls: false,
  lastUpdated: false,
  // One page after another: the order of the pages is part of the index of the search, and a release has the same bytes each time.
  buildConcurrency: 1,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: { anchor: { slugify: slugOf }, config: (markdown) => withDiagrams(markdown) },
  vite: { plugins: [llms({ sidebar: ALL }), moduleList()], build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    nav: [
      { text: 'Users', link: '/guides/' },
      { text: 'Operators', link: '/installation' },
      { text: 'Developers', link: '/architecture' },
      { text: 'Main API', link: '/reference/main-api' },
      { text: 'Supervisor API', link: '/reference/supervisor' },
      { component: 'VersionList', props: { current: version } },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
};

/** Writes the names of the modules in the pages, whose licences a release contains. */
function moduleList() {
  return {
    name: 'landlord-module-list',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
      const paths = modules.map((id) => id.replace(/^\0|\?.*$/g, '')).filter((id) => id.includes('/node_modules/'));
      if (paths.length > 0) appendFileSync(process.env.SITE_MODULES, `${paths.join('\n')}\n`);
    },
  };
}

/** A block `mermaid` becomes a diagram in the browser. */
function withDiagrams(markdown) {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info.trim() === 'mermaid'
      ? `<DiagramView source="${encodeURIComponent(tokens[index].content)}" />`
      : fence(tokens, index, ...rest);
}
