// npm run mutants [-- --seed S --sample N --area domain,gate --workers N]: the named mutants, then a random sample of
// generated mutants of each area, each against its nearest specs. `--sample 0` plays only the named mutants. Prints
// each survivor. Fails if a named mutant survives or an area has less than 85 % killed mutants.
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DIRECTORY_VARIABLE, removeTestPostgres } from '../../libs/testing/src/postgres/test-postgres.mjs';
import { AREAS } from './areas.mjs';
import { namedMutants } from './named/index.mjs';
import { play } from './play.mjs';
import { sampleOf } from './sample.mjs';

const LEAST_PERCENT = 85;
/** Named mutants exist also outside the areas with generated mutants. */
const ALL_AREAS = [...Object.keys(AREAS), 'persistence', 'other'];
const BASELINE_LIMIT_MS = 10 * 60_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    sample: { type: 'string', default: '40' },
    area: { type: 'string', default: ALL_AREAS.join(',') },
    workers: { type: 'string', default: '2' },
  },
});
const areas = values.area.split(',');
const unknown = areas.filter((area) => !ALL_AREAS.includes(area));
if (unknown.length > 0) refuse(`No such area: ${unknown.join(', ')}. There are: ${ALL_AREAS.join(', ')}.`);
for (const name of ['seed', 'sample', 'workers'])
  if (!/^\d{1,9}$/.test(values[name])) refuse(`--${name} is a whole number, not ${values[name]}.`);
const [seed, sample, workers] = [values.seed, values.sample, values.workers].map(Number);

function refuse(message) {
  console.error(message);
  process.exit(2);
}

// Its name differs from the directories of Jest, because each Jest deletes the directories of stopped runs.
const directory = realpathSync(mkdtempSync(join(tmpdir(), `landlord-mutants-${process.pid}-`)));
process.env[DIRECTORY_VARIABLE] = directory;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void removeTestPostgres(directory).finally(() => process.exit(1)));

const limits = new Map();

/** Runs the specs of all mutants without a mutant. A red or missing spec kills nothing. */
async function measureSpecs(mutants) {
  const sets = new Map(mutants.map(({ specs }) => [specs.join(' '), specs]));
  for (const [key, specs] of sets) {
    const { isGreen, ms, output } = await play({ specs, slot: 0, limitMs: BASELINE_LIMIT_MS });
    if (!isGreen) throw new Error(`These specs are red without a mutant: ${key}\n${output}`);
    limits.set(key, 20_000 + 3 * ms);
  }
}

/** Runs a mutant. A run that exceeds its limit has found the mutant: something waits without end. */
async function isKilled(mutant, slot) {
  const { isGreen } = await play({ mutant, specs: mutant.specs, slot, limitMs: limits.get(mutant.specs.join(' ')) });
  if (isGreen)
    console.log(
      `SURVIVED ${mutant.place}${mutant.name ? ` (${mutant.name})` : ''}\n  - ${mutant.before}\n  + ${mutant.after}`,
    );
  return !isGreen;
}

async function playAll(mutants) {
  const waiting = [...mutants];
  const results = [];
  const worker = async (_, slot) => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift())
      results.push({ ...mutant, isKilled: await isKilled(mutant, slot) });
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}

function report(title, results) {
  const killed = results.filter((one) => one.isKilled).length;
  const percent = (100 * killed) / results.length;
  console.log(`${title.padEnd(12)} ${killed} of ${results.length} killed (${percent.toFixed(1)} %)`);
  return percent;
}

async function main() {
  const began = performance.now();
  const named = namedMutants().filter(({ area }) => areas.includes(area));
  const generated = areas.filter((area) => area in AREAS).flatMap((area) => sampleOf(area, { seed, sample }));
  console.log(`seed ${seed}, ${named.length} named mutants, ${generated.length} generated mutants`);
  await measureSpecs([...named, ...generated]);
  const results = await playAll([...named, ...generated]);
  console.log('');
  const ofNamed = results.filter(({ name }) => name);
  const isNamedDead = ofNamed.length === 0 || report('named', ofNamed) === 100;
  const weak = areas.filter((area) => {
    const own = results.filter((one) => !one.name && one.area === area);
    return own.length > 0 && report(area, own) < LEAST_PERCENT;
  });
  if (weak.length > 0) console.log(`Below ${LEAST_PERCENT} %: ${weak.join(', ')}.`);
  const passed = results.filter((one) => one.isKilled).length;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${seconds} s; again: npm run mutants -- --seed ${seed} --sample ${sample} --area ${areas.join(',')}`);
  console.log(`${passed} passed, ${results.length - passed} failed`);
  return isNamedDead && weak.length === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  await removeTestPostgres(directory);
}
