import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { noteSkip } from '@libs/testing';
import { Composition } from '../../../docker/check/composition.mjs';
import { readComposeFile } from '../../../docker/check/compose-file.mjs';
import { Customer } from '../../../docker/check/customer.mjs';
import { Images } from '../../../docker/check/images.mjs';
import { describeContainers, type Containers } from './container.fixture.js';
import { describeUpgrade } from './release-before.fixture.js';
import { ReturningTraffic } from './returning-traffic.fixture.js';
import { ROOT } from './release.fixture.js';

// Both suites use the ports that the Compose files publish, so they are in one file.

const CHECK = join(ROOT, 'docker/check/check.mjs');
/** The exit code of the check where containers cannot run. Its last line says why. */
const UNAVAILABLE = 3;

describe('The Compose files, without a checkout beside the image', () => {
  it('run every service to a message through a broker in each region, and stop without leftovers', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK], { encoding: 'utf8' });
    const lines = `${stdout}${stderr}`.trim().split('\n');
    if (status === UNAVAILABLE)
      return noteSkip(`the Compose files (${lines.at(-1)})`, 'docs/testing.md says what they need');

    console.log(lines.filter((line) => /^(ok|FAILED) /.test(line)).join('\n'));
    // With the whole output: it names what failed, and has the last lines of each container.
    expect([lines.join('\n'), status]).toEqual([expect.stringMatching(/\nThe containers work\.$/), 0]);
  });
});

const FILE = 'compose.yml';
const PLACE = { cloud: 'aws', region: 'us-east-1' };
/** The clients are away while the Supervisor's container, in which the brokers run, is replaced. */
const PATIENCE_MS = 60_000;
const SETUP_MS = 10 * 60_000;
/** Six services start, and four of them again. */
const PROOF_MS = 10 * 60_000;

await describeUpgrade('The containers of Compose, of the release before and then of this commit', async (commits) => {
  const suite = await describeContainers(commits.before, commits.now);
  return (name) => suite(name, tests);
});

function tests(containers: Containers): void {
  const { podman } = containers;
  const { services } = readComposeFile(join(ROOT, 'docker', FILE));
  const composition = new Composition(podman, FILE, containers.place);
  let traffic: ReturningTraffic;

  /** The Compose file names an image by its version, and two commits can have one version. */
  const name = (image: string | undefined): string => podman.run('tag', image ?? '', services['main-api']?.image ?? '');

  beforeAll(async () => {
    // The images of PostgreSQL and Redis stay for the next run.
    const bases = join(ROOT, '.landlord/containers/bases');
    await new Images(podman, bases).makeBases(Object.values(services));
  }, SETUP_MS);
  afterAll(async () => {
    await traffic?.stop();
    composition.remove();
  });

  it(
    'lose nothing that was acknowledged, and their clients come back',
    async () => {
      name(containers.images[0]);
      const begin = performance.now();
      await composition.start();
      const customer = new Customer(composition.exec('main-api', 'cat', '/data/bootstrap.json'));
      const deployment = await customer.create(PLACE);
      const { endpoint, ...login } = await customer.connection(deployment);
      traffic = await ReturningTraffic.start(endpoint, login);
      await traffic.flows();
      console.log(`${((performance.now() - begin) / 1000).toFixed(1)} s from the first container to the message.`);

      name(containers.images[1]);
      await composition.replaceLandlord();
      await traffic.flows();

      console.log(`The clients were away for ${(traffic.absenceMs / 1000).toFixed(1)} s.`);
      expect(traffic.absenceMs).toBeLessThan(PATIENCE_MS);
      expect(await traffic.lost()).toEqual([]);
      expect(await customer.status(deployment.main)).toBe(200);
    },
    PROOF_MS,
  );
}
