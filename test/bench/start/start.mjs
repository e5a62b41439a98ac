// What a whole Landlord costs to start and while it is idle: seconds, CPU, modules and memory of `npm start`.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { stealShare, summary, within } from '../measure.mjs';
import { chooseSettings, startInstallation } from './installation.mjs';
import { cpuOf, memoryOf, partOf } from './process-tree.mjs';

const TARGETS = { first: 10, second: 2.5, idle: 0.01, memory: 350, modules: 400 };
/** The work after a start ends within this time: the first sweeps, and V8 gives memory back 30 to 50 s after it. */
const SETTLE_MS = 60_000;
const MIB = 2 ** 20;

/** The first start builds everything, console included. Each round is a further start. The last start becomes idle. */
export async function benchStart(_world, rounds, { seconds }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'landlord-bench-start-'));
  try {
    const settings = await chooseSettings(dataDir);
    const steal = stealShare();
    rmSync('dist', { recursive: true, force: true });
    const first = await startAndStop(settings);
    const later = [];
    for (let round = 0; round < Math.max(1, rounds); round += 1) later.push(await startAndStop(settings));
    const modules = await countModules(settings, dataDir);
    const idle = await beIdle(settings, seconds);
    const { share } = stealShare(steal.now);
    return { rows: [...startRows(first, later), ...modules, ...idle], steal_share: share };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function startAndStop(settings) {
  const running = await startInstallation(settings);
  await running.stop();
  return running;
}

function startRows(first, later) {
  const second = summary(later.map(({ seconds }) => seconds));
  const cpu = summary(later.map(({ cpuSeconds }) => cpuSeconds));
  return [
    row('first start with build: seconds to ready', first.seconds, TARGETS.first),
    row('first start with build: CPU seconds', first.cpuSeconds),
    { ...row('second start: seconds to ready', second.median, TARGETS.second), q1: second.q1, q3: second.q3 },
    { ...row('second start: CPU seconds', cpu.median), q1: cpu.q1, q3: cpu.q3 },
  ];
}

/** A start of its own, because counting takes time. */
async function countModules(settings, dataDir) {
  const folder = join(dataDir, 'modules');
  mkdirSync(folder);
  const counter = pathToFileURL(join(import.meta.dirname, 'count-modules.mjs')).href;
  await startAndStop({ ...settings, NODE_OPTIONS: `--import ${counter}`, COUNT_MODULES_IN: folder });
  const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return reports
    .map(({ entry, modules }) => ({ entry: relative('.', entry), modules }))
    .filter(({ entry }) => entry.startsWith('dist/'))
    .map(({ entry, modules }) => row(`files of JavaScript loaded by ${entry}`, modules, TARGETS.modules));
}

async function beIdle(settings, seconds) {
  const running = await startInstallation(settings);
  try {
    await delay(SETTLE_MS);
    const before = cpuOf(running.pid);
    await delay(seconds * 1000);
    const shares = {};
    for (const [pid, used] of cpuOf(running.pid)) {
      const part = partOf(pid);
      shares[part] = (shares[part] ?? 0) + (used - (before.get(pid) ?? 0)) / 1e6 / seconds;
    }
    const memory = Object.fromEntries(
      Object.entries(memoryOf(running.pid)).map(([part, bytes]) => [part, bytes / MIB]),
    );
    return [
      ...rowsOf('idle, share of a core', shares, TARGETS.idle),
      ...rowsOf('idle, MiB (PSS)', memory, TARGETS.memory),
    ];
  } finally {
    await running.stop();
  }
}

function rowsOf(name, parts, target) {
  const total = Object.values(parts).reduce((sum, value) => sum + value, 0);
  return [
    row(`${name}: all`, total, target),
    ...Object.entries(parts).map(([part, value]) => row(`${name}: ${part}`, value)),
  ];
}

function row(name, value, target) {
  if (target === undefined) return { name, median: value };
  return { name, median: value, target: `≤ ${target}`, verdict: within(value, target) };
}
