// npm run test:queues: all tests over real processes, once for each queue: BullMQ on PostgreSQL, BullMQ on Redis, and
// no queue. The last line is `N passed, N failed`.
import { BUILD, MATRIX, PROOFS, SUITES } from './suites/parts.mjs';
import { runCheck, runSuite } from './suites/run-part.mjs';
import { fetchPackage, PackageUnavailable } from './debian-package.mjs';

const build = await runCheck(BUILD, { isShown: true });
if (build.failed > 0) process.exit(1);

const verdicts = [];
for (const queue of ['postgres', 'off', 'redis']) {
  if (queue === 'redis' && !hasRedis()) continue;
  console.log(`\n--- queue: ${queue}`);
  process.env.LANDLORD_TEST_QUEUE = queue;
  for (const suite of [SUITES.find(({ name }) => name === 'e2e'), MATRIX, PROOFS]) verdicts.push(await runSuite(suite));
}
const sum = (key) => verdicts.reduce((total, entry) => total + entry[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);

function hasRedis() {
  if (process.env.REDIS_SERVER_BIN) return true;
  try {
    fetchPackage('redis-server');
    return true;
  } catch (error) {
    if (!(error instanceof PackageUnavailable)) throw error;
    console.log(`\n--- queue: redis is skipped. ${error.message}`);
    return false;
  }
}
