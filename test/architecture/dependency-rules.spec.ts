import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './sources/sources.js';

const CONFIG = join(ROOT, '.dependency-cruiser.mjs');
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

interface Rules {
  ARROWS: Record<string, string[]>;
  default: { forbidden: { name: string }[] };
}
const { ARROWS, default: config } = (await import(pathToFileURL(CONFIG).href)) as Rules;

const PACKAGES = ['@nestjs/common', '@nestjs/bullmq', 'typeorm', 'bullmq', 'pg', 'express', 'rxjs', 'jest'];

/** A small project that follows every rule. It uses the real names, because the rules name folders. */
const TIDY_PROJECT: Record<string, string> = {
  'package.json': JSON.stringify({
    type: 'module',
    dependencies: Object.fromEntries(PACKAGES.filter((name) => name !== 'jest').map((name) => [name, '1.0.0'])),
    devDependencies: { jest: '1.0.0' },
  }),
  ...Object.fromEntries(
    PACKAGES.flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' })],
      [`node_modules/${name}/index.js`, ''],
    ]),
  ),
  'packages/sdk/src/index.ts': `export * from './client.js';`,
  'packages/sdk/src/client.ts': '',
  'libs/domain/src/index.ts': `export * from './ids.js';`,
  'libs/domain/src/ids.ts': `export const id = 1;`,
  'libs/domain/src/settings.ts': `export const settings = 1;`,
  'libs/catalog/src/index.ts': `import '@libs/domain'; export const catalog = 1;`,
  'libs/persistence/src/index.ts': `import '@libs/domain'; import 'pg'; export const persistence = 1;`,
  'libs/persistence/src/runtime/index.ts': `export * from './nodes/nodes.repository.js';`,
  'libs/persistence/src/runtime/nodes/nodes.repository.ts': `export const nodes = 1;`,
  'libs/persistence/src/migrations/index.ts': `export const migrations = 1;`,
  'libs/ledger/src/index.ts': `import '@libs/persistence'; export const ledger = 1;`,
  'libs/queue/src/index.ts': `import 'bullmq'; import '@nestjs/bullmq'; export const queue = 1;`,
  'libs/http/src/index.ts': `import '@nestjs/common'; export const http = 1;`,
  'libs/host/src/os/index.ts': `import '@libs/domain'; export const os = 1;`,
  'libs/host/src/connectors/plugins/plugins.ts': `await import('./database/sink.js'); export {};`,
  'libs/host/src/connectors/plugins/database/sink.ts': `import 'pg'; export const sink = 1;`,
  'libs/host/src/node/agent.main.ts': `import '../os/index.js'; import '../connectors/plugins/plugins.js';`,
  'libs/host/src/machine/machine.main.ts': `import '../node/agent.main.js';`,
  'libs/operator/src/index.ts': `import '@libs/persistence/operator'; export const operator = 1;`,
  'libs/persistence/src/operator/index.ts': `export const desks = 1;`,
  'libs/launcher/src/index.ts': `import '@libs/persistence/migrations'; export const launcher = 1;`,
  'libs/launcher/src/main.ts': `await import('./operator/verb.js'); export {};`,
  'libs/launcher/src/operator/verb.ts': `import '@libs/operator'; export const verb = 1;`,
  'libs/testing/src/index.ts': `import '@libs/launcher'; export const testing = 1;`,
  'apps/main-api/src/config.ts': `import '@libs/domain/settings'; export const config = 1;`,
  'apps/main-api/src/main-api.module.ts': `import './tenants/index.js'; import './divisions/index.js';`,
  'apps/main-api/src/tenants/index.ts': `export * from './tenants.service.js';`,
  'apps/main-api/src/tenants/tenants.service.ts': `import '@libs/persistence/runtime'; export const tenants = 1;`,
  'apps/main-api/src/tenants/tenants.service.spec.ts': `import '@libs/testing'; import './tenants.service.js';`,
  'apps/main-api/src/divisions/index.ts': `export * from './divisions.controller.js';`,
  'apps/main-api/src/divisions/divisions.controller.ts': `import '../tenants/index.js'; import '../config.js'; export const divisions = 1;`,
  'apps/supervisor/src/gateway/index.ts': `export const gateway = 1;`,
};

/** One violation for each rule: a file, and the line that breaks the rule. */
const INTRUDERS: Record<string, [file: string, line: string]> = {
  ...Object.fromEntries(Object.keys(ARROWS).map((library) => [ruleOf(library), intruderIn(library)])),
  'libs-are-on-the-table': ['libs/newcomer/src/index.ts', `import './inside.js';`],
  'apps-import-libraries-by-their-entry-points': [
    'apps/main-api/src/tenants/digger.ts',
    `import '../../../../libs/persistence/src/runtime/nodes/nodes.repository.js';`,
  ],
  'start-does-not-wait-for-the-operator': ['libs/launcher/src/hasty.ts', `import './operator/verb.js';`],
  ...Object.fromEntries(
    ['os', 'control', 'gate', 'brokers', 'connectors', 'programs', 'processes', 'node'].map((room) => [
      `host-${room}-imports-only-below`,
      [`libs/host/src/${room}/climber.ts`, `import '../machine/machine.main.js';`] as [string, string],
    ]),
  ),
  'specs-import-libraries-by-their-entry-points': ['libs/catalog/src/a.spec.ts', `import '../../domain/src/ids.js';`],
  'testing-is-for-tests': ['apps/main-api/src/tenants/tester.ts', `import '@libs/testing';`],
  'no-cycles': ['libs/domain/src/ids.ts', `import './index.js'; export const id = 1;`],
  'apps-never-import-apps': ['apps/main-api/src/neighbour.ts', `import '../../supervisor/src/gateway/index.js';`],
  'modules-have-one-entry-point': ['apps/main-api/src/divisions/burglar.ts', `import '../tenants/tenants.service.js';`],
  'app-modules-use-the-entry-points': ['apps/main-api/src/burglar.module.ts', `import './tenants/tenants.service.js';`],
  'the-sdk-imports-nothing': ['packages/sdk/src/heavy.ts', `import 'node:http';`],
  'the-cli-imports-the-sdk-only': ['packages/cli/src/heavy.ts', `import '../../../libs/domain/src/index.js';`],
  'the-console-imports-the-sdk-only': ['packages/console/src/heavy.ts', `import '../../../libs/domain/src/index.js';`],
  'domain-is-pure': ['libs/domain/src/framed.ts', `import '@nestjs/common';`],
  'controllers-do-not-touch-data': [
    'apps/main-api/src/tenants/tenants.controller.ts',
    `import type { nodes } from '@libs/persistence/runtime';`,
  ],
  'bullmq-is-known-to-the-queue-only': ['libs/http/src/ringer.ts', `import '@nestjs/bullmq';`],
  // Breaks the rule through an indirect import.
  'the-agent-is-light': ['libs/host/src/node/heavy.ts', `import '../../../http/src/index.js';`],
  'clients-of-databases-are-for-connectors-only': ['libs/host/src/node/database.ts', `import 'pg';`],
  'connector-plugins-are-loaded-on-demand': [
    'libs/host/src/connectors/plugins/hasty.ts',
    `import './database/sink.js';`,
  ],
  'production-needs-no-dev-dependency': ['libs/http/src/tested.ts', `import 'jest';`],
  'not-to-unresolvable': ['libs/http/src/lost.ts', `import './gone.js';`],
};

describe('the dependency rules', () => {
  let house: string;

  beforeEach(() => {
    house = mkdtempSync(join(tmpdir(), 'landlord-house-'));
    cpSync(join(ROOT, 'tsconfig.json'), join(house, 'tsconfig.json'));
    for (const [file, text] of Object.entries(TIDY_PROJECT)) write(file, text);
    write('libs/newcomer/src/inside.ts', '');
  });
  afterEach(() => rmSync(house, { recursive: true, force: true }));

  it('accept a project that follows every rule', () => {
    expect(cruise()).toEqual([]);
  });

  it('each detect a file that breaks them', () => {
    for (const [file, line] of Object.values(INTRUDERS)) write(file, line);

    const caught = cruise();

    expect(Object.keys(INTRUDERS).sort()).toEqual(config.forbidden.map(({ name }) => name).sort());
    const awaited = Object.entries(INTRUDERS).map(([rule, [file]]) => `${rule}: ${file}`);
    expect(awaited.filter((entry) => !caught.includes(entry))).toEqual([]);
  });

  it('name every library of the repository', () => {
    const folders = readdirSync(join(ROOT, 'libs'));

    expect(folders.filter((name) => name !== 'testing' && !(name in ARROWS))).toEqual([]);
  });

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), text);
  }

  /** The violations in the project: each rule with the file that breaks it. */
  function cruise(): string[] {
    const options = ['--config', CONFIG, '--output-type', 'json', 'apps', 'libs', 'packages'];
    const { stdout, stderr } = spawnSync(process.execPath, [CRUISER, ...options], { cwd: house, encoding: 'utf8' });
    expect(stderr).toBe('');
    const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
    return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  }
});

interface Violation {
  rule: { name: string };
  from: string;
}

function ruleOf(library: string): string {
  return `libs-${library}-imports-only-below`;
}

/** Imports a library that `library` must not import. */
function intruderIn(library: string): [string, string] {
  const target = ['catalog', 'operator'].includes(library) ? 'http' : 'catalog';
  return [`libs/${library}/src/intruder.ts`, `import '@libs/${target}';`];
}
