// The parts of `npm run check` and `npm test`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build-stamp.mjs';
import { IN_CI } from './run-part.mjs';
import { WORLDS } from './worlds.mjs';

const bin = (path) => join(ROOT, 'node_modules', path);
const DEPCRUISE = bin('dependency-cruiser/bin/dependency-cruise.mjs');

const IS_SHUFFLED = IN_CI || Boolean(process.env.TEST_SEED);

export const BUILD = { name: 'build', args: ['scripts/build-if-stale.mjs'] };

/** Each check is one verdict. The slow checks come first, because two run at a time. */
export const CHECKS = [
  { name: 'lint', args: [bin('eslint/bin/eslint.js'), '.', '--max-warnings', '0'] },
  { name: 'types', args: [bin('typescript/bin/tsc'), '-p', 'tsconfig.json', '--noEmit'] },
  { name: 'format', args: [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'] },
  { name: 'golden', args: ['scripts/golden/golden.mjs', '--check'], needsBuild: true },
  // Without Go, the specs of the provider still compare its lists, schema and texts with the documents.
  { name: 'terraform', args: ['scripts/clients/terraform.mjs', '--check'], skippedBy: 3 },
  { name: 'sdk types', args: [bin('typescript/bin/tsc'), '-p', 'packages/sdk/tsconfig.json', '--noEmit'] },
  { name: 'console types', args: [bin('typescript/bin/tsc'), '-p', 'packages/console/tsconfig.json'] },
  { name: 'words', args: ['scripts/words/words.mjs'] },
  { name: 'deps', args: [DEPCRUISE, '--config', '.dependency-cruiser.mjs', 'apps', 'libs', 'packages', 'test'] },
];

/**
 * The number of the first worker of the parts that CI runs next to the suites of `npm test`, whose three workers are 1
 * to 3. The numbers give each worker ports of its own (libs/testing/src/cloud/free-ports.ts).
 */
const NEXT_TO_SUITES = 4;
const NEXT_TO_BOTH = 7;

/**
 * Random work under random faults: FAULTS_ROUNDS rounds, by default five. CI runs them next to the other suites,
 * because they mostly wait.
 */
export const FAULTS = {
  name: 'faults',
  roots: ['test/faults'],
  workers: 1,
  needsBuild: true,
  match: '**/*.story.ts',
  patienceMs: 3 * 3600_000,
  firstWorker: NEXT_TO_SUITES,
};

/**
 * Tests that take half a minute and more, mostly waiting: for leases to expire, nodes to restart, a database to be
 * restored, three queues one after the other.
 */
export const PROOFS = {
  name: 'proofs',
  roots: Object.values(WORLDS).flatMap(({ roots }) => roots),
  // They mostly wait, also for the processor.
  workers: 3,
  needsBuild: true,
  match: '**/*.proof.ts',
  patienceMs: 60 * 60_000,
};
const WORLDS_OF_PROOFS = Object.entries(WORLDS).map(([world, { roots }]) => ({
  ...PROOFS,
  name: `proofs:${world}`,
  roots,
}));

/** Clients of Apache Iggy, from start to restore. Without an iggy-server it is skipped. */
const IGGY_SMOKE = 'libs/host/src/brokers/iggy/iggy-clients.proof.ts';

/** One slow test of each area, and of Apache Iggy, for CI. CI runs them next to the other suites. */
export const SMOKE = {
  ...PROOFS,
  name: 'smoke',
  workers: IN_CI ? 1 : 3,
  firstWorker: NEXT_TO_SUITES,
  roots: ['.'],
  matches: [...Object.values(WORLDS).flatMap(({ smoke }) => smoke), IGGY_SMOKE],
};

const NAMES_PROGRAMS = /describeWithIggy|describeWithUnprovenIggy|describeRecorded/;

/**
 * The tests that need a program or a recording of another project, which most machines do not have. In CI, variables with the prefix
 * `PROGRAMS_` name them for this suite alone. So all other suites run as on a machine that has none of them.
 */
export const PROGRAMS = {
  ...PROOFS,
  name: 'programs',
  workers: IN_CI ? 1 : 3,
  firstWorker: NEXT_TO_SUITES,
  roots: ['.'],
  get matches() {
    return [...specsThatName(NAMES_PROGRAMS), IGGY_SMOKE];
  },
  env: Object.fromEntries(
    Object.entries(process.env)
      .filter(([name]) => name.startsWith('PROGRAMS_'))
      .map(([name, value]) => [name.slice('PROGRAMS_'.length), value]),
  ),
};

function specsThatName(pattern) {
  return ['apps', 'libs', 'packages', 'test/e2e'].flatMap((root) =>
    readdirSync(join(ROOT, root), { recursive: true, encoding: 'utf8' })
      .map((name) => join(root, name))
      .filter((path) => path.endsWith('.spec.ts') && !path.includes('node_modules'))
      .filter((path) => pattern.test(readFileSync(join(ROOT, path), 'utf8'))),
  );
}

/** Compares the times of thousands of answers: too long for CI, so it runs on request. */
export const TIMING = { ...PROOFS, name: 'proofs:timing', roots: ['test/e2e'], workers: 1, match: '**/*.timing.ts' };

/**
 * The known attacks against their own installation. The fuzzing of the gateway takes 20 seconds here instead of a
 * minute.
 */
export const ATTACK = {
  name: 'attack',
  roots: ['test', 'apps/supervisor/src', 'libs/host/src', 'libs/cloud/src'],
  workers: 2,
  needsBuild: true,
  matches: [
    ...['**/*.attack.ts', '**/gateway-attack.proof.ts', '**/gateway-hostile.spec.ts', '**/local-attack.spec.ts'],
    ...['**/agent-rollout-reconciler.spec.ts', '**/aws-roles.spec.ts'],
  ],
  env: { ATTACK_SECONDS: process.env.ATTACK_SECONDS ?? '20' },
};

/** Both audits of the contract, row by row. Prints what each row expected and got. */
export const CONTRACT = {
  ...PROOFS,
  name: 'contract',
  roots: ['test/contract'],
  workers: 2,
  match: '**/*.contract.ts',
};

/** Schemathesis against both API descriptions: it takes minutes, and needs a program from another package index. */
export const SCHEMATHESIS = {
  ...PROOFS,
  name: 'proofs:schemathesis',
  roots: ['test/schemathesis'],
  workers: 1,
  match: '**/*.schemathesis.ts',
};

/** The Helm chart: it builds Helm, and needs the JSON schemas of Kubernetes from another package index. */
export const HELM = {
  ...PROOFS,
  name: 'proofs:helm',
  roots: ['test/helm'],
  workers: 1,
  needsBuild: false,
  match: '**/*.helm.ts',
};

/** The slow test of `npm start`, for other releases of Node. */
const SMOKE_OF_START = { ...SMOKE, name: 'smoke:start', matches: [WORLDS.start.smoke] };

/** Every route of both APIs with other callers, other tenants and bad input. */
export const MATRIX = {
  name: 'matrix',
  roots: ['test/e2e'],
  workers: 2,
  needsBuild: true,
  match: '**/*.matrix.ts',
};

/**
 * The parts of `npm test`. Tests over real processes wait for a part of their time, so three workers keep two cores
 * busy. In CI, the unit and e2e tests of a file run in random order. The seed changes only by hand, so that every run of
 * CI on one commit has the same order. TEST_SEED chooses another order, and shuffles these tests outside CI too.
 */
export const SUITES = [
  { name: 'unit', roots: ['libs', 'apps', 'packages'], workers: 3, isShuffled: IS_SHUFFLED },
  { name: 'architecture', roots: ['test/architecture'], workers: 2, needsBuild: true, env: { TEST_ISOLATED: '1' } },
  { name: 'e2e', roots: ['test/e2e'], workers: 3, needsBuild: true, isShuffled: IS_SHUFFLED },
];

/** The unit tests, with the coverage of lines and branches. It may not fall below the limits in jest.config.mjs. */
export const COVERAGE = { ...SUITES[0], name: 'coverage', isCovered: true, env: { TEST_ISOLATED: '1' } };

/** The suites that `npm test` runs only by name. */
export const BY_NAME = [
  PROOFS,
  SMOKE_OF_START,
  PROGRAMS,
  ...WORLDS_OF_PROOFS,
  COVERAGE,
  TIMING,
  CONTRACT,
  SCHEMATHESIS,
  HELM,
];

/** One test of the previous release on this schema, and its CPU of a read, a creation and a step. Without a previous release, the check reports this and does not fail. */
export const COMPAT = {
  name: 'compat',
  args: ['scripts/compat.mjs', '--only', 'free-deployment', '--speed'],
  skippedBy: 3,
  env: { TEST_FIRST_WORKER: String(NEXT_TO_BOTH) },
};

/** `npm start` with the other supported releases of Node. Without the registry, the check reports this and does not fail. */
export const OTHER_NODES = { name: 'other releases of Node', args: ['scripts/test-nodes.mjs'], skippedBy: 3 };
