import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeWithIggy, IGGY_SERVER, TestCloud } from '@libs/testing';
import { environmentOfDemo } from './demo.fixture.js';
import { runLandlord } from './run-landlord.js';

const PROGRAM = { IGGY_SERVER_BIN: IGGY_SERVER ?? '' };
const hasCommandLine = existsSync(join(dirname(PROGRAM.IGGY_SERVER_BIN), 'iggy'));

describeWithIggy('The demo with iggy', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { LOCAL_BROKER: 'iggy', ...PROGRAM } });
  });
  afterAll(() => cloud.stop());

  it('sends and reads a message by the protocols of Apache Iggy, and leaves nothing behind', async () => {
    const { code, output } = await runLandlord({ ...environmentOfDemo(cloud), ...PROGRAM }, 'demo');

    expect(output).toMatch(
      /broker +iggy\n[\s\S]*connected +http:[\s\S]*received +"Hello from Landlord" after \d+ ms\n/,
    );
    expect(/command +iggy message poll/.test(output)).toBe(hasCommandLine);
    expect(output).not.toContain('mqtt');
    expect(code).toBe(0);
    expect((await cloud.main().get(`${cloud.environment}/deployments`)).body.total_results).toBe(0);
    expect(await cloud.nodeProcesses()).toEqual([]);
  });
});
