/**
 * The allowed imports. The tables below are the arrows of docs/architecture.md. The rules are created from these
 * tables, so each arrow is defined once. `test/architecture/dependency-rules.spec.ts` checks that every rule detects a
 * violation.
 */

/**
 * The allowed imports of each library, by entry point. A library that is missing here may not import, and may not be
 * imported.
 */
export const ARROWS = {
  domain: [],
  catalog: ['domain'],
  persistence: ['domain'],
  queue: ['domain'],
  ledger: ['domain', 'persistence', 'persistence/ledger'],
  workflow: ['domain', 'persistence', 'queue', 'ledger'],
  http: ['domain'],
  access: ['domain', 'persistence', 'persistence/platform', 'http'],
  operations: ['domain', 'persistence', 'persistence/platform', 'http'],
  outbound: ['domain'],
  'object-store': ['domain'],
  diagnostics: ['domain'],
  // The settings of brokers and connectors, for the schema of the API and for the nodes. Plain data.
  'broker-config': ['domain'],
  // Everything that runs on a node's machine.
  host: ['domain', 'broker-config', 'outbound'],
  // The local cloud starts nodes as processes of this machine.
  cloud: ['domain', 'host/os', 'host/processes'],
  operator: [
    ...['domain', 'catalog', 'persistence', 'persistence/organization', 'persistence/runtime', 'persistence/platform'],
    ...[
      'persistence/ledger',
      'persistence/billing',
      'persistence/operator',
      'persistence/migrations',
      'ledger',
      'workflow',
    ],
  ],
  // The launcher imports the cloud for `ops local`, which plays the other side of the local cloud, and the store for its backups.
  launcher: [
    ...['domain', 'persistence/migrations', 'queue/setup', 'operator', 'cloud', 'object-store', 'host/os'],
    'host/programs',
  ],
};

/** Entry points in addition to `src/index.ts`: the aliases of tsconfig.json. */
export const ENTRY_POINTS = {
  domain: ['src/index.ts'],
  'domain/settings': ['src/settings.ts'],
  'domain/list-settings': ['src/starts/list-settings.ts'],
  'domain/starts': ['src/starts/index.ts'],
  'domain/connection-settings': ['src/admission/connection-settings.ts'],
  'domain/operator-accounts': ['src/people/operator-accounts.ts'],
  'domain/admission': ['src/admission/index.ts'],
  'domain/agent-protocol': ['src/agent-protocol.ts'],
  'domain/machine-protocol': ['src/machines/machine-protocol.ts'],
  'domain/node-orders': ['src/node-orders.ts'],
  'domain/secret-patterns': ['src/secret-patterns.ts'],
  'domain/node-sockets': ['src/node-sockets.ts'],
  'domain/node-memory': ['src/deployments/node-memory.ts'],
  'domain/refused-call': ['src/deployments/refused-call.ts'],
  'domain/server-root': ['src/deployments/server-root.ts'],
  'domain/release': ['src/starts/release.ts'],
  'domain/iggy-releases': ['src/deployments/iggy-releases.ts'],
  'domain/storable-text': ['src/storable-text.ts'],
  'domain/outages': ['src/outages/outages.ts'],
  'domain/processes': ['src/processes/index.ts'],
  'host/os': ['src/os/index.ts'],
  'host/programs': ['src/programs/index.ts'],
  'host/processes': ['src/processes/index.ts'],
  'queue/setup': ['src/setup/index.ts'],
  'persistence/organization': ['src/organization/index.ts'],
  'persistence/channels': ['src/channels/index.ts'],
  'persistence/billing': ['src/billing/index.ts'],
  'persistence/runtime': ['src/runtime/index.ts'],
  'persistence/ledger': ['src/ledger/index.ts'],
  'persistence/platform': ['src/platform/index.ts'],
  'persistence/module': ['src/module/index.ts'],
  'persistence/operator': ['src/operator/index.ts'],
  'persistence/migrations': ['src/migrations/index.ts'],
};

/**
 * Apps may import every library except these: the launcher starts the apps, and schema and operator are above them.
 */
const CLOSED_TO_APPS = ['launcher', 'operator', 'persistence/operator', 'persistence/migrations'];

/** The layers of libs/host, from the ground up: a layer imports only those before it. */
const HOST_LAYERS = ['os', 'control', 'gate', 'brokers', 'connectors', 'programs', 'processes', 'node', 'machine'];
/** All code in the processes of a node and of a machine. */
const ON_THE_HOST = '^libs/(host|broker-config)/src/';
/** Code for tests: it may import what production code may not. */
const TEST_CODE = ['\\.(spec|proof|fixture|attack)\\.ts$', '^test/', '^libs/testing/', '^libs/[^/]+/test/'];

/** Clients of databases, which only the process of the connectors loads, when a connector needs them. */
const CONNECTOR_PLUGINS = '^libs/host/src/connectors/plugins/';

const packages = (names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;
const FRAMEWORK = ['@nestjs', 'typeorm', 'bullmq', 'pg', 'express'];
const HEAVY = ['@nestjs', 'typeorm', 'bullmq', 'rxjs', 'zod', '@peculiar', 'reflect-metadata'];

function entryPattern(entryPoint) {
  const library = Object.keys(ARROWS).find((name) => entryPoint === name) ?? entryPoint.split('/')[0];
  const files = ENTRY_POINTS[entryPoint] ?? ['src/index.ts'];
  return `^libs/${library}/(${files.join('|').replaceAll('.', '\\.')})$`;
}

/** `domain` also exports its light entry points: they contain parts of it, for code that does not need all of it. */
const LIGHT = [
  'domain/settings',
  'domain/list-settings',
  'domain/starts',
  'domain/admission',
  'domain/operator-accounts',
  'domain/connection-settings',
  'domain/agent-protocol',
  'domain/machine-protocol',
  'domain/node-orders',
  'domain/secret-patterns',
  'domain/node-sockets',
  'domain/node-memory',
  'domain/refused-call',
  'domain/server-root',
  'domain/release',
  'domain/iggy-releases',
  'domain/storable-text',
  'domain/outages',
  'domain/processes',
];
const opened = (entryPoint) => (entryPoint === 'domain' ? ['domain', ...LIGHT] : [entryPoint]);
const ALL_ENTRY_POINTS = [...new Set([...Object.keys(ARROWS), ...Object.keys(ENTRY_POINTS)])];
const entryPatterns = (entryPoints) => entryPoints.flatMap(opened).map(entryPattern);

const arrows = Object.entries(ARROWS).map(([library, entryPoints]) => ({
  name: `libs-${library}-imports-only-below`,
  comment: `libs/${library} may import ${entryPoints.join(', ') || 'no other library'}.`,
  severity: 'error',
  from: { path: `^libs/${library}/`, pathNot: TEST_CODE },
  to: { path: '^(libs|apps|test)/', pathNot: [`^libs/${library}/`, ...entryPatterns(entryPoints)] },
}));

export default {
  forbidden: [
    ...arrows,
    {
      name: 'libs-are-on-the-table',
      comment: 'A library that the table does not know: draw its arrows first.',
      severity: 'error',
      from: {},
      to: { path: '^libs/', pathNot: [`^libs/(${Object.keys(ARROWS).join('|')})/`, '^libs/testing/'] },
    },
    {
      name: 'apps-import-libraries-by-their-entry-points',
      severity: 'error',
      from: { path: '^apps/', pathNot: TEST_CODE },
      to: {
        path: '^libs/',
        pathNot: entryPatterns(ALL_ENTRY_POINTS.filter((entryPoint) => !CLOSED_TO_APPS.includes(entryPoint))),
      },
    },
    ...HOST_LAYERS.slice(0, -1).map((layer, index) => ({
      name: `host-${layer}-imports-only-below`,
      severity: 'error',
      from: { path: `^libs/host/src/${layer}/`, pathNot: TEST_CODE },
      to: { path: `^libs/host/src/(${HOST_LAYERS.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'start-does-not-wait-for-the-operator',
      comment: 'What only operator commands need is loaded by import() when one is typed.',
      severity: 'error',
      from: { path: '^libs/launcher/src/', pathNot: ['^libs/launcher/src/operator/', ...TEST_CODE] },
      to: {
        path: ['^libs/operator/', '^libs/launcher/src/operator/'],
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'specs-import-libraries-by-their-entry-points',
      comment: 'A spec beside the code sees the inside of its own library only.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/.*\\.(spec|proof|fixture)\\.ts$' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/testing/src/', ...entryPatterns(ALL_ENTRY_POINTS)] },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      // scripts/ runs the tests, and is no part of the product.
      from: { pathNot: [...TEST_CODE, '^scripts/'] },
      to: { path: TEST_CODE },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'apps-never-import-apps',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'modules-have-one-entry-point',
      comment:
        'Another room of the app only by its index.ts; files beside the rooms, such as config.ts, are open to all.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/src/([^/]+)/', pathNot: TEST_CODE },
      to: { path: '^apps/$1/src/[^/]+/', pathNot: ['^apps/$1/src/$2/', '^apps/$1/src/[^/]+/index\\.ts$'] },
    },
    {
      name: 'app-modules-use-the-entry-points',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/[^/]+\\.module\\.ts$' },
      to: { path: '^apps/[^/]+/src/[^/]+/', pathNot: '/index\\.ts$' },
    },
    {
      name: 'the-sdk-imports-nothing',
      comment: 'People install the SDK alone, and browsers load it.',
      severity: 'error',
      from: { path: '^packages/sdk/src/', pathNot: TEST_CODE },
      to: { pathNot: '^packages/sdk/src/' },
    },
    {
      name: 'the-cli-imports-the-sdk-only',
      comment: 'People install the command line without the server.',
      severity: 'error',
      from: { path: '^packages/cli/src/', pathNot: TEST_CODE },
      to: {
        path: ['^(apps|libs|test|packages)/', '(^|/)node_modules/'],
        pathNot: [
          '^packages/cli/src/',
          '^packages/sdk/src/index\\.ts$',
          packages([
            ...['@modelcontextprotocol', 'commander', 'get-east-asian-width', 'yaml'],
            ...['@napi-rs/keyring', 'http-proxy-agent', 'https-proxy-agent', 'proxy-from-env'],
          ]),
        ],
      },
    },
    {
      name: 'the-console-imports-the-sdk-only',
      comment: 'The console has no powers of its own: browsers load it, and it does everything by the API.',
      severity: 'error',
      from: { path: '^packages/console/src/', pathNot: TEST_CODE },
      to: {
        path: ['^(apps|libs|test|packages)/', '(^|/)node_modules/'],
        pathNot: [
          '^packages/console/src/',
          '^packages/sdk/src/index\\.ts$',
          packages(['react', 'react-dom', '@types/react', '@types/react-dom', '@tanstack', 'uplot']),
        ],
      },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      from: { path: '^libs/domain/' },
      to: { path: packages(FRAMEWORK) },
    },
    {
      name: 'controllers-do-not-touch-data',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: ['^libs/persistence/', packages(['typeorm', '@nestjs/typeorm', 'pg'])] },
    },
    {
      name: 'bullmq-is-known-to-the-queue-only',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^libs/queue/' },
      to: { path: packages(['bullmq', '@nestjs/bullmq']) },
    },
    {
      name: 'the-agent-is-light',
      comment:
        'A node has 60 MB for its agent: nothing it loads may reach a framework, a database, a queue or what issues certificates.',
      severity: 'error',
      from: { path: ON_THE_HOST, pathNot: TEST_CODE },
      to: { path: packages(HEAVY), reachable: true },
    },
    {
      name: 'clients-of-databases-are-for-connectors-only',
      comment:
        'The process of the connectors loads a client when a connector needs it. Nothing else of a node loads one.',
      severity: 'error',
      from: { path: ON_THE_HOST, pathNot: [CONNECTOR_PLUGINS, ...TEST_CODE] },
      to: { path: packages(['pg', 'mongodb', 'socks', '@aws-sdk']) },
    },
    {
      name: 'connector-plugins-are-loaded-on-demand',
      comment: 'A plugin with a client is loaded by import() when a connector needs it.',
      severity: 'error',
      from: { path: '^libs/', pathNot: [`${CONNECTOR_PLUGINS}[^/]+/`, ...TEST_CODE] },
      to: { path: `${CONNECTOR_PLUGINS}[^/]+/`, dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'production-needs-no-dev-dependency',
      comment: 'It would be missing after npm ci --omit=dev.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: TEST_CODE },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'not-to-unresolvable',
      comment: 'An import that resolves to nothing would slip past every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, dependencyTypesNot: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.d.mts', '.mjs', '.js', '.json', '.css'],
    },
  },
};
