// Data that grows: fills one PostgreSQL with ten times as many deployments at each stage, and measures at each stage what the
// requests and the background loops send. A statement may grow like the rows that it must read, and not like the others.
import pg from 'pg';
import { round, stealShare, summary } from '../measure.mjs';
import { entriesEach, fillUntil } from './fill.mjs';
import { largeTables, scansFor, scansOfDeclared } from './plans.mjs';
import { statementsOf } from './statements.mjs';
import { measureUpkeep } from './upkeep.mjs';

const RUNS = 15;
const LONGEST_MS = 3_000;
/** A cell and a tenant of the fill are full at this size. */
const SMALLEST = 2_000;
/** Times below are the noise of a busy machine. */
const FLOOR_MS = 2;
/** Most growth for ten times the data. A scan of a large table is right for a tenth of its rows, and wrong for a constant number. */
const MOST = { flat: 2, own: 16, all: 16 };

/** `deployments`: the size of the last stage. */
export async function benchGrowth(world, _rounds, { deployments }) {
  const steal = stealShare().now;
  const sizes = [deployments / 100, deployments / 10, deployments].filter((size) => size >= SMALLEST);
  const each = entriesEach(deployments);
  const stages = [];
  for (const [at, size] of sizes.entries()) {
    const seconds = await fillUntil(world.url, { from: sizes[at - 1] ?? 0, until: size, each });
    process.stderr.write(`growth ${size} deployments in ${round(seconds, 0)} s …\n`);
    stages.push({ size, entries: size * each, seconds, ...(await measureStage(world, size)) });
  }
  return { rows: rowsOf(stages), stages, steal_share: round(stealShare(steal).share, 4) };
}

async function measureStage(world, size) {
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  try {
    await client.query(`set timezone = 'utc'`);
    const large = await largeTables(client);
    const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes');
    const times = [];
    for (const one of statementsOf(size)) times.push(await measure(client, large, one));
    const [{ bytes }] = rows;
    const scans = await scansOfDeclared(client, large);
    return { bytes, times, scans, upkeep: await measureUpkeep(world, client, bytes) };
  } finally {
    await client.end();
  }
}

/** Median milliseconds of a statement in a transaction that is rolled back, and the large tables that its plan scans. */
async function measure(client, large, { growth, what, name, text, values }) {
  const samples = [];
  const begun = performance.now();
  try {
    while (samples.length < RUNS && (samples.length < 2 || performance.now() - begun < LONGEST_MS)) {
      await client.query('begin');
      const from = performance.now();
      await client.query({ name, text, values });
      samples.push(performance.now() - from);
      await client.query('rollback');
    }
    return { growth, what, name, ms: summary(samples).median, scans: await scansFor(client, large, { text, values }) };
  } catch (error) {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  }
}

function rowsOf(stages) {
  const plain = (name, value) => ({ name, median: value, target: '', verdict: '' });
  const sizes = stages.flatMap(({ size, entries, seconds, bytes, scans }) => [
    plain(`growth: entries of the audit beside ${size} deployments`, entries),
    plain(`growth: seconds to fill up to ${size} deployments`, seconds),
    plain(`growth: GB of ${size} deployments`, bytes / 1e9),
    plain(`growth: declared statements that scan a large table at ${size} deployments`, scans.length),
  ]);
  const upkeep = stages.flatMap(({ size, upkeep }) =>
    Object.entries(upkeep).map(([what, seconds]) => plain(`growth: seconds for ${what}, ${size} deployments`, seconds)),
  );
  return [...sizes, ...upkeep, ...stages.at(-1).times.map((last, at) => growthRow(stages, last, at))];
}

/** The time at the last size, all times in the name, and the factor of the last step. */
function growthRow(stages, { growth, what, scans, ms }, at) {
  const times = stages.map((stage) => stage.times[at].ms);
  const factor = times.length < 2 ? 1 : floored(times.at(-1)) / floored(times.at(-2));
  const isMet = factor <= MOST[growth] && (scans.length === 0 || growth !== 'flat');
  const said = times.map((time) => round(time, 1)).join(' → ');
  const tables = scans.length === 0 ? '' : `, scans ${scans.join(' ')}`;
  return {
    name: `${what} (${growth}), ms: ${said}${tables}`,
    median: ms,
    target: `× ≤ ${MOST[growth]}: ${round(factor, 1)}`,
    verdict: isMet ? 'met' : 'missed',
  };
}

const floored = (ms) => Math.max(ms, FLOOR_MS);
