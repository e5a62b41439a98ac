import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { previousSocket } from '@libs/domain';
import { agentAnswers } from './agent-contact.js';
import { nodeFlag } from '../control/node-home.js';

/** Answers like an agent of the previous release, with its own pid or the pid that it gets. */
const PREVIOUS_AGENT = `
const { createServer } = require('node:http');
const { NAME: path, PID: pid = process.pid, PADDING: padding = 0 } = process.env;
createServer((request, response) => response.end(JSON.stringify({ node: 7, pid: Number(pid), padding: ' '.repeat(Number(padding)) })))
  .listen({ path: '\\0' + path }, () => console.log('listening'));
`;

/** Listens at the same name, and never ends its answer: quickly, or a few bytes at a time. */
const ENDLESS = `
const { createServer } = require('node:http');
const { NAME: path, SIZE: size, PAUSE_MS: pause } = process.env;
createServer((request, response) => {
  const timer = setInterval(() => response.write(' '.repeat(Number(size))), Number(pause));
  response.on('close', () => { clearInterval(timer); console.log('closed'); });
}).listen({ path: '\\0' + path }, () => console.log('listening'));
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

  const flag = nodeFlag({ installation, nodeId: 7 });

  async function listen(args: string[], { pid, padding = 0 }: { pid?: number; padding?: number } = {}): Promise<void> {
    const name = previousSocket(installation, 7, 'agent').slice(1);
    const env = { NAME: name, PADDING: String(padding), ...(pid !== undefined && { PID: String(pid) }) };
    const child = spawn(process.execPath, ['-e', PREVIOUS_AGENT, '--', ...args], { env });
    started.push(child);
    await once(child.stdout, 'data');
  }
  async function listenEndlessly(size: number, pauseMs: number): Promise<ChildProcess> {
    const name = previousSocket(installation, 7, 'agent').slice(1);
    const env = { NAME: name, SIZE: String(size), PAUSE_MS: String(pauseMs) };
    const child = spawn(process.execPath, ['-e', ENDLESS, '--', '--dir', dir, flag], { env });
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
    ['the flag of the node', () => ['--dir', dir, nodeFlag({ installation, nodeId: 77 })]],
  ])('does not count without %s in its arguments', async (_what, args) => {
    await listen(args());

    expect(await answers()).toBe(false);
  });

  it.each([
    ['long', 1_000_000, 1],
    ['slow', 1, 100],
  ])('is not read to the end when the answer is %s', async (_what, size, pauseMs) => {
    const child = await listenEndlessly(size, pauseMs);
    const closed = once(child.stdout ?? child, 'data');

    expect(await answers()).toBe(false);
    await closed;
  });

  it('does not count with an answer of 5,000 characters', async () => {
    await listen(['--dir', dir, flag], { padding: 5_000 });

    expect(await answers()).toBe(false);
  });

  it('does not count when the answer names a process that is not the agent', async () => {
    await listen(['--dir', dir, flag], { pid: process.pid });

    expect(await answers()).toBe(false);
  });
});
