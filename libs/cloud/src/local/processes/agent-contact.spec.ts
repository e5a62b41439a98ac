import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { previousSocket } from '@libs/domain';
import { agentAnswers } from './agent-contact.js';
import { nodeFlag } from './node-processes.js';

/** Answers like an agent of the previous release, with its own pid or the pid that it gets. */
const PREVIOUS_AGENT = `
const { createServer } = require('node:http');
const { NAME: path, PID: pid = process.pid } = process.env;
createServer((request, response) => response.end(JSON.stringify({ node: 7, pid: Number(pid) })))
  .listen({ path: '\\0' + path }, () => console.log('listening'));
`;

// Only Linux has the abstract sockets of the previous release.
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('an agent of the previous release', () => {
  const installation = `contact${process.pid}`;
  const started: ChildProcess[] = [];
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-contact-'));
  });
  afterEach(async () => {
    for (const child of started.splice(0)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(dir, { recursive: true, force: true });
  });

  const flag = nodeFlag(installation, 7);

  async function listen(args: string[], pid?: number): Promise<ChildProcess> {
    const name = previousSocket(installation, 7, 'agent').slice(1);
    const env = { NAME: name, ...(pid !== undefined && { PID: String(pid) }) };
    const child = spawn(process.execPath, ['-e', PREVIOUS_AGENT, '--', ...args], { env });
    started.push(child);
    await once(child.stdout, 'data');
    return child;
  }
  const answers = (): Promise<boolean> => agentAnswers({ installation, nodeId: 7, dir });

  it('counts as the agent of its node', async () => {
    await listen(['--dir', dir, flag]);

    expect(await answers()).toBe(true);
  });

  it.each([
    ['the directory', () => [flag]],
    ['the flag of the node', () => ['--dir', dir, nodeFlag(installation, 77)]],
  ])('does not count without %s in its arguments', async (_what, args) => {
    await listen(args());

    expect(await answers()).toBe(false);
  });

  it('does not count when the answer names a process that is not the agent', async () => {
    await listen(['--dir', dir, flag], process.pid);

    expect(await answers()).toBe(false);
  });
});
