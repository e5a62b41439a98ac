// See docker/check.sh.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagesFolder } from '../../scripts/debian-package.mjs';
import { Composition } from './composition.mjs';
import { Images } from './images.mjs';
import { ContainersUnavailable, findPodman, Podman, requirePrograms } from './podman.mjs';
import { oneMachine, twoRegions } from './scenarios.mjs';

const SKIPPED = 3;
/** The ports that the Compose files publish. */
const PORTS = [3000, 4000, 4100];

/** The exit codes of a part that refuses its settings: 78 of an app, 1 of the script that starts the migration. */
const REFUSED = [78, 1];
/** The exit codes of a part that ended its work after SIGTERM. 137: it was killed. */
const ENDED = [0, 143];

let failures = 0;

try {
  requirePrograms('openssl');
  for (const port of PORTS) await requireFree(port);
  await check();
} catch (error) {
  console.error(error instanceof ContainersUnavailable ? error.message : error);
  process.exit(error instanceof ContainersUnavailable ? SKIPPED : 1);
}
console.log(failures === 0 ? 'The containers work.' : `${failures} checks failed.`);
process.exit(failures === 0 ? 0 : 1);

function expect(what, isSo, detail = '') {
  console.log(`${isSo ? 'ok    ' : 'FAILED'} ${what}`);
  if (isSo) return;
  failures += 1;
  if (detail) console.log(detail);
}

async function check() {
  const place = mkdtempSync(join(tmpdir(), 'landlord-containers-'));
  // The images stay for the next run.
  const kept = join(packagesFolder(), '../containers');
  const podman = new Podman(kept, findPodman());
  const small = new Composition(podman, 'compose.yml', join(place, 'small'));
  const large = new Composition(podman, 'regions.yml', join(place, 'large'));
  const removeAll = () => [small, large].forEach((composition) => composition.remove());
  try {
    // An interrupted run may have left some.
    removeAll();
    const images = new Images(podman, join(kept, 'bases'));
    await images.makeBases(Object.values(large.services));
    images.loadLandlord(place);
    checkImage(podman, small.services['main-api'].image);
    await live(small, oneMachine);
    large.makeCertificates();
    await live(large, twoRegions);
  } finally {
    removeAll();
    rmSync(place, { recursive: true, force: true });
  }
  const left = podman.leftovers();
  expect('no container, network, volume or process is left', left.length === 0, left.join('\n'));
}

/** From the first start of a Compose file to its end. */
async function live(composition, scenario) {
  const { name, permanent } = composition;
  try {
    await composition.start();
    expect(`${name}: ${permanent.length} services are healthy`, permanent.length > 0);
    await scenario(composition, expect);
    const codes = composition.stop();
    const killed = Object.entries(codes).filter(
      ([service, code]) => composition.isLandlord(service) && !ENDED.includes(code),
    );
    expect(`${name}: each part of Landlord ends when it is asked to`, killed.length === 0, killed.join('\n'));
  } catch (error) {
    for (const service of permanent) console.log(`--- ${name}-${service}\n${composition.logs(service)}`);
    throw error;
  } finally {
    composition.remove();
  }
}

function checkImage(podman, image) {
  const inside = (...command) => podman.run('run', '--rm', '--network', 'none', image, ...command).split('\n');
  const modules = inside('ls', 'node_modules');
  const tools = ['eslint', 'jest', 'prettier', 'typescript'].filter((name) => modules.includes(name));
  expect('the image has no build tools', tools.length === 0, tools.join());
  expect('the image has no tests', !inside('ls', 'dist/libs').includes('testing') && !inside('ls').includes('libs'));
  expect('the image runs as an unprivileged user', inside('id', '-u')[0] === '10001');
  for (const app of ['main-api', 'supervisor', 'migrate']) {
    const { status, output } = podman.try('run', '--rm', '--network', 'none', image, app);
    expect(
      `${app} without settings ends and names DATABASE_URL`,
      REFUSED.includes(status) && /DATABASE_URL/.test(output),
      output,
    );
  }
}

async function requireFree(port) {
  const server = createServer();
  const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').then(
    () => true,
    () => false,
  );
  server.close();
  if (!isFree) throw new Error(`Port ${port} is in use. The containers of the check need it.`);
}
