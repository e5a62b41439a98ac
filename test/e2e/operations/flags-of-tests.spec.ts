import { readFileSync } from 'node:fs';
import { skippedSuite, TestCloud } from '@libs/testing';

const describeOnLinux = process.platform === 'linux' ? describe : skippedSuite('/proc is missing', 'Run them on Linux');

/** The processes of the tests run with a flag for modules of `node:vm`, which no program has. */
describeOnLinux('The apps of a test', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
  });
  afterAll(() => cloud.stop());

  it('run without the flags of the test runner', async () => {
    const nodes = (await cloud.nodeProcesses()).map(({ pid }) => pid);
    const pids = [cloud.mainApi.pid, cloud.supervisor.pid, ...nodes];
    const texts = pids.flatMap((pid) =>
      ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')),
    );

    expect(texts.length).toBeGreaterThanOrEqual(4);
    for (const text of texts) expect(text).not.toMatch(/experimental-vm-modules|disable-warning|NODE_OPTIONS/);
  });
});
