// The parts of `npm run check` and `npm test`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { removeLeftovers } from '../libs/testing/src/postgres/test-postgres.mjs';
import { ROOT } from './build-stamp.mjs';
import { JEST } from './jest.mjs';

const bin = (path) => join(ROOT, 'node_modules', path);
const DEPCRUISE = bin('dependency-cruiser/bin/dependency-cruise.mjs');

/**
 * A part that runs longer than this hangs and counts as failed. In CI the two rows of parts share the cores, and a part
 * takes up to three times as long as alone.
 */
const PATIENCE_MS = 20 * 60_000;

const IN_CI = Boolean(process.env.CI);

/** A whole run ends within this time, also when a part hangs: that part then counts as failed, and so does each later one. */
const RUN_PATIENCE_MS = (IN_CI ? 75 : 30) * 60_000;
let runEndsAt = Infinity;

/** From now on no part lasts longer than the rest of a whole run. */
export function limitRun() {
  runEndsAt = performance.now() + RUN_PATIENCE_MS;
}
const OWN_SEED = process.env.TEST_SEED;
const SEED = OWN_SEED || '20261123';
const IS_SHUFFLED = IN_CI || Boolean(OWN_SEED);

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
 * The slow tests by area: their folders, and for each area the one test that CI runs. An architecture test checks that
 * each slow test belongs to exactly one area.
 */
export const WORLDS = {
  start: {
    roots: ['libs/launcher', 'test/e2e/launcher', 'test/development'],
    smoke: 'libs/launcher/src/verbs/start.proof.ts',
  },
  deployments: {
    roots: ['test/e2e/deployments', 'test/e2e/operations'],
    smoke: 'test/e2e/deployments/upgrade.proof.ts',
  },
  nodes: {
    roots: [
      ...['libs/host/src/node', 'libs/queue', 'test/e2e/nodes', 'test/e2e/configs', 'test/e2e/certificates'],
      'test/e2e/byoc',
    ],
    smoke: 'test/e2e/nodes/reconciliation.proof.ts',
  },
  machines: {
    roots: ['libs/host/src/machine', 'test/e2e/machines'],
    smoke: 'libs/host/src/machine/machine-agent.proof.ts',
  },
  aws: {
    roots: ['apps/supervisor/src/platform/aws', 'test/e2e/aws'],
    smoke: 'apps/supervisor/src/platform/aws/aws-nodes.proof.ts',
  },
  gcp: {
    roots: ['apps/supervisor/src/platform/gcp', 'test/e2e/gcp'],
    smoke: 'apps/supervisor/src/platform/gcp/gcp-provider.contract.proof.ts',
  },
  brokers: {
    roots: [...['libs/broker-config', 'libs/host/src/gate', 'libs/host/src/brokers', 'libs/host/src/connectors']],
    smoke: 'libs/host/src/connectors/delivery/connectors-delivery.proof.ts',
  },
  backups: {
    roots: ['test/e2e/backups'],
    smoke: 'test/e2e/backups/backup-rules.proof.ts',
  },
  organization: {
    roots: [
      ...['apps/main-api', 'test/e2e/account', 'test/e2e/audit', 'test/e2e/billing', 'test/e2e/channels'],
      'test/e2e/organization',
    ],
    smoke: 'apps/main-api/src/billing/invoices/monthly-billing-job.proof.ts',
  },
  clients: {
    roots: ['test/e2e/clients'],
    smoke: 'test/e2e/clients/quick-start.proof.ts',
  },
  console: {
    roots: ['test/e2e/console'],
    smoke: 'test/e2e/console/first-steps.proof.ts',
  },
  input: {
    roots: ['test/e2e/input'],
    smoke: 'test/e2e/input/cost-of-messages.proof.ts',
  },
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
  matches: [...Object.values(WORLDS).map(({ smoke }) => smoke), IGGY_SMOKE],
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

/** Runs a check and prints its output if it fails or is skipped. Returns a verdict. */
export async function runCheck({ name, args, skippedBy, env: own = {} }, { isShown = false } = {}) {
  const { code, output, seconds } = await run(args, isShown ? 'inherit' : 'pipe', { env: { ...process.env, ...own } });
  if (code === 0) return verdict(name, seconds, 1, 0);
  process.stdout.write(`\n--- ${name}\n${output}\n`);
  return verdict(name, seconds, 0, code === skippedBy ? 0 : 1);
}

/** Runs a suite, shows its output, and adds up the results of Jest. A suite that could not run counts as failed. */
export async function runSuite({
  name,
  workers,
  patienceMs,
  firstWorker = 1,
  env: own = {},
  isShuffled = false,
  isCovered = false,
  ...files
}) {
  const directory = mkdtempSync(join(tmpdir(), 'landlord-report-'));
  const report = join(directory, 'report.json');
  try {
    const order = isShuffled ? ['--randomize', `--seed=${SEED}`, '--showSeed'] : [];
    const coverage = isCovered ? ['--coverage'] : [];
    const args = [...JEST, `--maxWorkers=${workers}`, ...order, ...coverage, '--json', `--outputFile=${report}`];
    const suite = { TEST_INCLUDE: JSON.stringify(included(files)), TEST_FIRST_WORKER: String(firstWorker) };
    const env = { ...process.env, ...suite, ...own };
    const { code, seconds } = await run(args, 'inherit', { patienceMs, env });
    const { passed, failed, failures } = readReport(report);
    return { ...verdict(name, seconds, passed, code === 0 ? failed : Math.max(1, failed)), failures };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The globs of a suite: its specs, its own kind of file, or the files that it names. */
function included({ roots, match = '**/*.spec.ts', matches = [match] }) {
  return roots.flatMap((root) => matches.map((one) => (one.startsWith('**/') ? `${root}/${one}` : one)));
}

function readReport(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
    );
    const failures = report.testResults.flatMap(failuresOf);
    return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length, failures };
  } catch {
    return { passed: 0, failed: 1, failures: ['The suite ended without a report.'] };
  }
}

/** Each failed test of a file in one line, with the first line of its error. */
function failuresOf({ name, assertionResults, message }) {
  const file = relative(ROOT, name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  const inTests = failed.map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0])}`);
  const texts = inTests.length === 0 && message ? [firstLine(message)] : inTests;
  return texts.map((text) => `${file}: ${text}`);
}

/** The first line of an error, without the title that Jest writes above it. */
const firstLine = (text = '') => {
  const lines = text.split('\n').map((line) => line.trim());
  return (lines.find((line) => line !== '' && !line.startsWith('●')) ?? '').slice(0, 300);
};

export const verdict = (name, seconds, passed, failed) => ({ name, seconds, passed, failed, failures: [] });

/** The processes of the parts that run now, each the leader of a group with its workers and the apps that they start. */
const running = new Set();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    for (const child of running) killGroup(child, signal);
    process.kill(process.pid, signal);
  });

async function run(args, output, { patienceMs = PATIENCE_MS, env = process.env } = {}) {
  const began = performance.now();
  const limitMs = Math.max(1, Math.min(patienceMs, runEndsAt - began));
  // Jest writes its JSON to a file.
  const stdio = ['ignore', output, output];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio, detached: true });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  let isOver = false;
  const patience = setTimeout(() => {
    isOver = true;
    killGroup(child, 'SIGKILL');
  }, limitMs);
  const code = await new Promise((settle) => {
    child.once('close', settle);
    // A process that was started by the part, and is in another group, may hold the output open.
    child.once('exit', (exitCode) => isOver && settle(exitCode));
  });
  clearTimeout(patience);
  running.delete(child);
  if (isOver) {
    text += `${args[0]} was ended after ${Math.round(limitMs / 1000)} s.\n`;
    // The apps and the PostgreSQL of its tests have groups of their own, and would go on.
    await removeLeftovers();
  }
  return { code: isOver ? 1 : code, output: text, seconds: (performance.now() - began) / 1000 };
}

function killGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The part has ended.
  }
}
