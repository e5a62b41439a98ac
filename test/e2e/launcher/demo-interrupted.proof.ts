import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { eventually, TestCloud } from '@libs/testing';
import { environmentOfDemo } from './demo.fixture.js';

describe('An interrupted demo', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start();
  });
  afterAll(() => cloud.stop());

  // A deletion in the middle of a step waits for the lease twice.
  it('deletes what it created when the user presses Ctrl-C', async () => {
    const env = environmentOfDemo(cloud);
    const run = spawn(process.execPath, [resolve('dist/libs/launcher/src/main.js'), 'demo'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(run, 'close');
    let output = '';
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually('it deploys nodes', () => /deploying_nodes +\d/.test(output), 60_000);

    run.kill('SIGINT');
    const [code] = await ended;

    expect(code).toBe(1);
    expect(output).toMatch(/Cleaning up[\s\S]*forgetting[\s\S]*The demo was interrupted/);
    expect(output).not.toContain('received');
    expect((await cloud.main().get(`${cloud.environment}/deployments`)).body.total_results).toBe(0);
    expect(await cloud.nodeProcesses()).toEqual([]);
  }, 120_000);
});
