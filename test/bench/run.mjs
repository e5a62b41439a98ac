// npm run bench [-- --rounds N] [--only
// read,steps,creates,lists,audit,agents,rules,provisioning,telemetry,deliveries,billing,rate-limit,iggy,start,growth]
// [--profile] [--against <ref>] [--json FILE]: prints ratios within one run. For agents [--agents N] [--seconds S], growth [--deployments N], rules,
// provisioning and start [--seconds S] it prints absolute values. All except the first three run only by name. --profile
// shows where the time of `read` and `deliveries` goes. --against compares the CPU with another commit.
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { compareWith } from './against/compare-with.mjs';
import { benchAgents } from './agents/agents.mjs';
import { benchAudit } from './audit/audit.mjs';
import { benchBilling } from './billing/billing.mjs';
import { benchDeliveries } from './deliveries/deliveries.mjs';
import { benchCreates } from './engine/creates.mjs';
import { benchSteps } from './engine/steps.mjs';
import { benchGrowth } from './growth/growth.mjs';
import { benchIggy } from './iggy/iggy.mjs';
import { round } from './measure.mjs';
import { keepProfile } from './profile/profile.mjs';
import { benchRateLimit } from './rate-limit/rate-limit.mjs';
import { benchLists } from './read/lists.mjs';
import { benchRead } from './read/read.mjs';
import { benchRules } from './rules/rules.mjs';
import { benchProvisioning } from './provisioning/provisioning.mjs';
import { benchStart } from './start/start.mjs';
import { benchTelemetry } from './telemetry/telemetry.mjs';
import { slowestStatements } from './statements.mjs';
import { openWorld } from './world.mjs';

const RATIOS = { read: benchRead, steps: benchSteps, creates: benchCreates };
const BENCHES = {
  ...RATIOS,
  lists: benchLists,
  audit: benchAudit,
  agents: benchAgents,
  rules: benchRules,
  provisioning: benchProvisioning,
  telemetry: benchTelemetry,
  deliveries: benchDeliveries,
  billing: benchBilling,
  'rate-limit': benchRateLimit,
  iggy: benchIggy,
  start: benchStart,
  growth: benchGrowth,
};
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    only: { type: 'string', default: Object.keys(RATIOS).join(',') },
    agents: { type: 'string', default: '10000' },
    deployments: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '60' },
    tls: { type: 'boolean', default: false },
    parked: { type: 'boolean', default: false },
    json: { type: 'string' },
    profile: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
});
if (values.against !== undefined) {
  console.table(await compareWith(values.against, Number(values.rounds)));
  process.exit(0);
}
const options = {
  agents: Number(values.agents),
  deployments: Number(values.deployments),
  seconds: Number(values.seconds),
  tls: values.tls,
  parked: values.parked,
  profile: values.profile,
};

const results = {};
for (const name of values.only.split(',')) {
  process.stderr.write(`bench ${name} …\n`);
  const world = await openWorld();
  try {
    results[name] = await BENCHES[name](world, Number(values.rounds), options);
    results[name].slowest_statements = await slowestStatements(world.sql);
    results[name].profile_file = keepProfile(world.dataDir, name);
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
      median: round(row.median, row.median < 0.1 ? 4 : 2),
      quartiles: row.q1 === undefined ? '' : `${round(row.q1)} – ${round(row.q3)}`,
      target: row.target,
      verdict: row.verdict,
      steal: steal_share,
    })),
  ),
);
for (const [name, { profile, profile_file: file, slowest_statements: slowest }] of Object.entries(results)) {
  if (profile) console.table(profile);
  if (file) console.log(`The CPU profile of ${name}, for a flame graph in the developer tools of a browser: ${file}`);
  console.log(`The slowest statements of ${name}:`);
  console.table(slowest);
}
process.exit(0);
