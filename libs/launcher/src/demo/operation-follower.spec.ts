import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from './api-client.js';
import { OperationFollower } from './operation-follower.js';
import { Progress } from './progress.js';

const BEGAN = '2026-01-01T00:00:00.000Z';
const aStep = (name: string, finished: string | null, more = {}) => ({
  ...{ name, status: finished ? 'succeeded' : 'running', attempts: 1, started_at: BEGAN, finished_at: finished },
  ...{ error: null, ...more },
});

describe('OperationFollower', () => {
  const servers: Server[] = [];
  const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
    const server = createServer(answer).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  /** An API that answers each GET with the next operation, and repeats the last one. */
  const operations = (...answers: object[]): Promise<string> =>
    serve((_request, response) => {
      response.end(JSON.stringify(answers.length > 1 ? answers.shift() : answers[0]));
    });
  const follow = async (url: string, patienceMs?: number): Promise<string> => {
    const lines: string[] = [];
    const terminal = {
      say: (line: string) => void lines.push(line),
      complain: (line: string) => void lines.push(line),
    };
    const follower = new OperationFollower(new ApiClient('ld_a_b_c'), url, new Progress(terminal, null));
    await follower
      .follow(7, new AbortController().signal, patienceMs)
      .catch((error: Error) => lines.push(error.message));
    return lines.join('\n').replaceAll(/ +/g, ' ');
  };

  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  it('shows each step once, with its duration and its attempts', async () => {
    const one = aStep('first', '2026-01-01T00:00:01.500Z');
    const two = aStep('second', '2026-01-01T00:00:02.000Z', { attempts: 3 });
    const url = await operations(
      { status: 'running', steps: [aStep('first', null)], reason: 'waits' },
      { status: 'running', steps: [one, aStep('second', null)] },
      { status: 'succeeded', steps: [one, two] },
    );

    expect(await follow(url)).toBe(' first 1.50 s\n second 2.00 s 3 attempts');
  });

  it('reports the reason of a failure', async () => {
    const step = aStep('first', BEGAN, { status: 'failed', error: 'no room' });
    const failed = { id: 7, type: 'provision_deployment', status: 'failed', reason: 'no room left', steps: [step] };

    const lines = await follow(await operations(failed));

    expect(lines).toBe(' first 0.00 s failed: no room\nOperation 7 (provision_deployment) has failed: no room left');
  });

  it('has a time limit', async () => {
    const url = await operations({ status: 'pending', steps: [] });

    expect(await follow(url, 300)).toBe(`Operation 7 did not finish within 0.3 s. See ${url}/operations/7`);
  });
});
