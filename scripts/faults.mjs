// npm run faults [-- --rounds N --seed S --story S]: random scenarios under random faults, or one scenario repeatedly.
// With [--story notifications --events N --channels N --seed S]: many events for many channels. The last line is `N
// passed, N failed`.
import { parseArgs } from 'node:util';
import { BUILD, FAULTS, runCheck, runSuite } from './parts.mjs';
import { fetchPackage, PackageUnavailable } from './debian-package.mjs';

const STORIES = ['backup', 'restore', 'schedule', 'copy', 'rotate', 'activate', 'snapshot', 'connect', 'notifications'];
/** The full size; npm test uses a small one. */
const NOTIFICATIONS = { events: '10000', channels: '50' };
const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seed: { type: 'string' },
    story: { type: 'string' },
    kills: { type: 'boolean' },
    events: { type: 'string' },
    channels: { type: 'string' },
  },
});
const isAboutNotifications = values.story === 'notifications';
if (isAboutNotifications) Object.assign(values, { ...NOTIFICATIONS, ...values });
for (const [name, value] of Object.entries(values)) {
  if (name === 'kills') {
    process.env.FAULTS_KILLS = String(value);
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
const suite = isAboutNotifications ? { ...FAULTS, match: '**/notifications.story.ts' } : FAULTS;
const { passed, failed } = await runSuite(suite);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
