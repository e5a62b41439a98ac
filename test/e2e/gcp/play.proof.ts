import { existsSync } from 'node:fs';
import { eventually } from '@libs/testing';
import { environmentOfDemo } from '../launcher/demo.fixture.js';
import { runLandlord } from '../launcher/run-landlord.js';
import { describeWithHosts } from '../machines/hosts/host-world.js';
import { GCP_WORLD_WAIT_MS, GcpWorld } from './gcp-world.js';

const MINUTE_MS = 60_000;
/** Set by `npm run play:gcp`: the cloud stays until this file is deleted. */
const STAYS = process.env['PLAY_CLOUD'] ?? null;
const LONGEST_PLAY_MS = 24 * 60 * MINUTE_MS;

vi.setConfig({ testTimeout: STAYS === null ? 5 * MINUTE_MS : LONGEST_PLAY_MS, hookTimeout: GCP_WORLD_WAIT_MS });

describeWithHosts('A new user of the driver gcp', () => {
  let world: GcpWorld;
  beforeAll(async () => {
    world = await GcpWorld.start();
  });
  afterAll(() => world.stop());

  it.runIf(STAYS === null)('runs the demo, which ends with a message and an empty project', async () => {
    const { code, output } = await runLandlord(environmentOfDemo(world.machines.cloud), 'demo', '--cloud', 'gcp');

    expect(output).toMatch(/received +"Hello from Landlord" after \d+ ms\n/);
    expect(code).toBe(0);
    expect(world.contents()).toEqual([]);
  });

  it.runIf(STAYS !== null)('plays until Ctrl-C', async () => {
    const { cloud, url } = world.machines;
    const { LANDLORD_DATA_DIR = '' } = environmentOfDemo(cloud);
    const facts = {
      'main API': cloud.mainApi.url,
      'API key': cloud.key,
      'address for agents': url,
      'fake of Google': world.google.endpoint,
    };
    console.log(
      [
        'Landlord runs with LANDLORD_PROVIDER_GCP=gcp. Each instance of the fake boots as a container of this machine.',
        ...Object.entries(facts).map(([name, value]) => `  ${name.padEnd(20)}${value}`),
        'In another terminal of this folder, create a deployment, send a message and delete the deployment:',
        `  LANDLORD_DATA_DIR=${LANDLORD_DATA_DIR} npm run demo -- --cloud gcp`,
        'Ctrl-C ends everything.',
      ].join('\n'),
    );
    await eventually('the end of the play', () => !existsSync(STAYS ?? ''), LONGEST_PLAY_MS);
  });
});
