import { runPage } from './run-page.js';

describe('The commands of the README, pasted into one terminal', () => {
  runPage('README.md', async (output, session) => {
    process.stderr.write(output);
    expect(output).toMatch(/^hello is ready\./m);
    expect(output).toMatch(/^username +\S+\npassword +\S+\nnodes/m);
    expect(output).toMatch(/^greetings hello$/m);
    expect(output).toMatch(/^ *messages_in: \d+$/m);
    expect(await session.deployments()).toEqual([]);
  });
});
