import { existsSync } from 'node:fs';
import { jest } from '@jest/globals';
import { eventually } from '@libs/testing';
import { environmentOfDemo } from '../launcher/demo.fixture.js';
import { runLandlord } from '../launcher/run-landlord.js';
import type { MachineWorld } from '../machines/machine-world.js';

const MINUTE_MS = 60_000;
/** Set by `npm run play:<cloud>`: the cloud stays until this file is deleted. */
const STAYS = process.env['PLAY_CLOUD'] ?? null;
const LONGEST_PLAY_MS = 24 * 60 * MINUTE_MS;

/** Landlord with the driver of a cloud, on an emulator. */
export interface PlayWorld {
  machines: MachineWorld;
  /** Everything that Landlord has in the cloud now. */
  contents(): string[] | Promise<string[]>;
  stop(): Promise<void>;
}

interface Play<W extends PlayWorld> {
  driver: 'aws' | 'gcp';
  start: () => Promise<W>;
  /** The longest wait for `start`, in milliseconds. */
  waitMs: number;
  /** The arguments of `npm run demo` that name the cloud. */
  demo: readonly string[];
  /** What the player can look at besides Landlord, by its name. */
  facts: (world: W) => Record<string, string>;
}

/** The tests of a new user. Call it in a suite that has what the world needs. */
export function playStory<W extends PlayWorld>({ driver, start, waitMs, demo, facts }: Play<W>): void {
  jest.setTimeout(STAYS === null ? 5 * MINUTE_MS : LONGEST_PLAY_MS);

  let world: W;
  beforeAll(async () => {
    world = await start();
  }, waitMs);
  afterAll(() => world.stop(), waitMs);

  const [itEnds, itStays] = STAYS === null ? [it, it.skip] : [it.skip, it];

  itEnds('runs the demo, which ends with a message and leaves nothing in the cloud', async () => {
    const { code, output } = await runLandlord(environmentOfDemo(world.machines.cloud), 'demo', ...demo);

    expect(output).toMatch(/received +"Hello from Landlord" after \d+ ms\n/);
    expect(code).toBe(0);
    expect(await world.contents()).toEqual([]);
  });

  itStays('plays until Ctrl-C', async () => {
    const { cloud, url } = world.machines;
    const { LANDLORD_DATA_DIR = '' } = environmentOfDemo(cloud);
    const shown = { 'main API': cloud.mainApi.url, 'API key': cloud.key, 'address for agents': url, ...facts(world) };
    const command = ['npm run demo', ...(demo.length > 0 ? ['--', ...demo] : [])].join(' ');
    console.log(
      [
        `Landlord runs with LANDLORD_PROVIDER_${driver.toUpperCase()}=${driver}. Each instance of the emulator boots as a container of this machine.`,
        ...Object.entries(shown).map(([name, value]) => `  ${name.padEnd(20)}${value}`),
        'In another terminal of this folder, create a deployment, send a message and delete the deployment:',
        `  LANDLORD_DATA_DIR=${LANDLORD_DATA_DIR} ${command}`,
        'Ctrl-C ends everything.',
      ].join('\n'),
    );
    await eventually('the end of the play', () => !existsSync(STAYS ?? ''), LONGEST_PLAY_MS);
  });
}
