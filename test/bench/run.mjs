// npm run bench [-- --rounds N] [--only read,steps,creates] [--json FILE]: figures as ratios within one run.
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchCreates } from './engine/creates.mjs';
import { benchSteps } from './engine/steps.mjs';
import { round } from './measure.mjs';
import { benchRead } from './read/read.mjs';
import { openWorld } from './world.mjs';

const BENCHES = { read: benchRead, steps: benchSteps, creates: benchCreates };
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: Object.keys(BENCHES).join(',') },
    json: { type: 'string' },
  },
});

const results = {};
for (const name of values.only.split(',')) {
  process.stderr.write(`bench ${name} …\n`);
  const world = await openWorld();
  try {
    results[name] = await BENCHES[name](world, Number(values.rounds));
  } finally {
    await world.close();
  }
}

const machine = {
  node: process.version,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memory_gib: round(totalmem() / 2 ** 30, 1),
};
const report = { at: new Date().toISOString(), machine, results };
if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
console.log(JSON.stringify(report));
console.table(
  Object.values(results).flatMap(({ rows, steal_share }) =>
    rows.map((row) => ({
      what: row.name,
      median: round(row.median),
      quartiles: `${round(row.q1)} – ${round(row.q3)}`,
      target: row.target,
      verdict: row.verdict,
      steal: steal_share,
    })),
  ),
);
process.exit(0);
