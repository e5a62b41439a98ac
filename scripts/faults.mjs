// npm run faults [-- --rounds N --seed S --story S --broker B]: random scenarios under random faults, or one scenario repeatedly.
// With [--story notifications --events N --channels N --seed S]: many events for many channels. The last line is `N
// passed, N failed`.
import { parseArgs } from 'node:util';
import { BUILD, FAULTS } from './suites/parts.mjs';
import { runCheck, runSuite } from './suites/run-part.mjs';
import { iggyForTests } from './iggy-for-tests.mjs';
import { fetchPackage, PackageUnavailable } from './debian-package.mjs';

const STORIES = [
  'life',
  'backup',
  'restore',
  'schedule',
  'copy',
  'rotate',
  'activate',
  'snapshot',
  'connect',
  'notifications',
];
/** The full size; npm test uses a small one. */
const NOTIFICATIONS = { events: '10000', channels: '50' };
const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string' },
    story: { type: 'string' },
    kills: { type: 'boolean' },
    calls: { type: 'boolean' },
    broker: { type: 'string' },
    events: { type: 'string' },
    channels: { type: 'string' },
  },
});
const isAboutNotifications = values.story === 'notifications';
if (isAboutNotifications) Object.assign(values, { ...NOTIFICATIONS, ...values });
for (const [name, value] of Object.entries(values)) {
  if (name === 'kills' || name === 'calls') {
    process.env[`FAULTS_${name.toUpperCase()}`] = String(value);
    continue;
  }
  if (name === 'broker') {
    chooseBroker(value);
    continue;
  }
  if (name === 'story' && !STORIES.includes(value)) {
    console.error(`--story is one of ${STORIES.join(', ')}, not ${value}.`);
    process.exit(2);
  }
  if (name !== 'story' && !/^[1-9]\d{0,5}$/.test(value)) {
    console.error(`--${name} is a whole number from 1 to 999999, not ${value}.`);
    process.exit(2);
  }
  process.env[`FAULTS_${name.toUpperCase()}`] = value;
}

const build = await runCheck(BUILD, { isShown: true });
if (build.failed > 0) process.exit(1);
try {
  fetchPackage('redis-server');
} catch (error) {
  if (!(error instanceof PackageUnavailable)) throw error;
  console.log(`Redis is left out. ${error.message}`);
}
const suite = isAboutNotifications ? { ...FAULTS, match: '**/notifications.story.ts' } : ofBroker(values.broker);
const { passed, failed } = await runSuite(suite);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** With another broker only the scenarios: the other tests do not depend on the broker. */
function ofBroker(broker) {
  return broker ? { ...FAULTS, match: '**/faults.story.ts' } : FAULTS;
}

function chooseBroker(broker) {
  if (!['embedded', 'iggy'].includes(broker)) {
    console.error(`--broker is embedded or iggy, not ${broker}.`);
    process.exit(2);
  }
  process.env.LANDLORD_TEST_BROKER = broker;
  if (broker !== 'iggy') return;
  const { settings, missing } = iggyForTests();
  if (missing) {
    console.error(`The faults of iggy need a server: ${missing}`);
    process.exit(2);
  }
  Object.assign(process.env, settings);
  console.log('Left out on iggy, which forms no clusters: create cluster, upgrade, copy, connect.');
}
