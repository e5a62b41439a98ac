// Runs one part of `npm run check` or `npm test`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { removeLeftovers } from '../../libs/testing/src/postgres/test-postgres.mjs';
import { ROOT } from '../build-stamp.mjs';
import { JEST } from '../jest.mjs';

export const IN_CI = Boolean(process.env.CI);

/**
 * A part that runs longer than this hangs and counts as failed. In CI the two rows of parts share the cores, and a part
 * takes up to three times as long as alone.
 */
const PATIENCE_MS = 20 * 60_000;

/** A whole run ends within this time, also when a part hangs: that part then counts as failed, and so does each later one. */
const RUN_PATIENCE_MS = (IN_CI ? 75 : 30) * 60_000;
let runEndsAt = Infinity;

/** From now on no part lasts longer than the rest of a whole run. */
export function limitRun() {
  runEndsAt = performance.now() + RUN_PATIENCE_MS;
}

const SEED = process.env.TEST_SEED || '20261123';

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
