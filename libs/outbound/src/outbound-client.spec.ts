import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@libs/testing/basics';
import { checkDestination } from './destination.js';
import { OutboundClient, type OutboundRequest } from './outbound-client.js';
import { DestinationRefused, OutboundFailed } from './outbound-error.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

async function aServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

function aClient(options: ConstructorParameters<typeof OutboundClient>[0]): OutboundClient {
  const client = new OutboundClient(options);
  ends.push(() => client.close());
  return client;
}

const to = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'POST',
  timeoutMs: 5_000,
  ...more,
});

describe('sending', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    const bodies: string[] = [];
    const { seen, port } = await aServer((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on('end', () => response.writeHead(201, { 'x-answer': 'yes' }).end('taken'));
    });

    const answer = await aClient({ allowPrivate: true }).send(
      to(`http://127.0.0.1:${port}/in?a=1`, { method: 'PUT', headers: { 'x-key': 'k' }, body: 'hello' }),
    );

    expect(answer).toMatchObject({ status: 201, isTruncated: false });
    expect([answer.body.toString(), answer.headers['x-answer']]).toEqual(['taken', 'yes']);
    expect([seen[0]?.method, seen[0]?.url, seen[0]?.headers['x-key'], bodies.join('')]).toEqual([
      'PUT',
      '/in?a=1',
      'k',
      'hello',
    ]);
  });

  it('reads only the allowed part of an answer', async () => {
    const { port } = await aServer((_, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', write).on('error', () => undefined);
      write();
    });

    const answer = await aClient({ allowPrivate: true }).send(
      to(`http://127.0.0.1:${port}/`, { maxBodyBytes: 15_000 }),
    );

    expect(answer.isTruncated).toBe(true);
    expect(answer.body).toHaveLength(15_000);
  });

  it('stops at the timeout, and when it is aborted', async () => {
    const { port } = await aServer(() => undefined);
    const client = aClient({ allowPrivate: true });
    const abort = new AbortController();

    const inTime = client.send(to(`http://127.0.0.1:${port}/`, { timeoutMs: 100 }));
    await expect(inTime).rejects.toMatchObject({ name: 'OutboundFailed', failure: 'timeout' });

    const aborted = client.send(to(`http://127.0.0.1:${port}/`, { signal: abort.signal }));
    abort.abort();
    await expect(aborted).rejects.toMatchObject({ failure: 'aborted' });
  });

  it('is stopped with all requests of its signal, but not after its answer', async () => {
    const { port } = await aServer((request, response) => void (request.url === '/quick' && response.end('answered')));
    const client = aClient({ allowPrivate: true });
    const abort = new AbortController();
    const send = (path: string) => client.send(to(`http://127.0.0.1:${port}${path}`, { signal: abort.signal }));

    const answered = await send('/quick');
    const hanging = [send('/first'), send('/second')];
    abort.abort();

    expect(answered.body.toString()).toBe('answered');
    for (const one of [...hanging, send('/third')]) await expect(one).rejects.toMatchObject({ failure: 'aborted' });
  });

  it('is given up at once while it waits for a connection, and is never sent', async () => {
    const answers: ServerResponse[] = [];
    const { seen, port } = await aServer((_, response) => answers.push(response));
    const client = aClient({ allowPrivate: true, connections: 1 });
    const abort = new AbortController();
    const first = client.send(to(`http://127.0.0.1:${port}/first`));
    await eventually('the first arrives', () => seen.length === 1);

    const waiting = client.send(to(`http://127.0.0.1:${port}/waiting`, { signal: abort.signal }));
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ failure: 'aborted' });
    await expect(client.send(to(`http://127.0.0.1:${port}/late`, { timeoutMs: 20 }))).rejects.toMatchObject({
      failure: 'timeout',
    });

    answers[0]?.end('answered');
    expect((await first).body.toString()).toBe('answered');
    const last = client.send(to(`http://127.0.0.1:${port}/last`));
    await eventually('the last arrives', () => answers.length === 2);
    answers[1]?.end();
    await last;
    expect(seen.map(({ url }) => url)).toEqual(['/first', '/last']);
  });

  it('does not follow a redirect', async () => {
    const { seen, port } = await aServer((_, response) => response.writeHead(302, { location: '/elsewhere' }).end());

    const sent = aClient({ allowPrivate: true }).send(to(`http://127.0.0.1:${port}/`));

    await expect(sent).rejects.toMatchObject({ failure: 'redirect' });
    expect(seen).toHaveLength(1);
  });

  it.each(['Host', 'content-length', 'Transfer-Encoding', 'proxy-authorization'])(
    'refuses a header that the client sets: %s',
    async (name) => {
      const sent = aClient({ allowPrivate: true }).send(to('http://127.0.0.1:1/', { headers: { [name]: '1' } }));
      await expect(sent).rejects.toThrow(DestinationRefused);
    },
  );

  it('names the unreachable host, without the path and the headers', async () => {
    const sent = aClient({ allowPrivate: true }).send(
      to('http://127.0.0.1:1/path-secret', { headers: { authorization: 'header-secret' } }),
    );
    const error = (await sent.catch((reason: unknown) => reason)) as OutboundFailed;

    expect(error).toBeInstanceOf(OutboundFailed);
    expect(error.message).toContain('127.0.0.1:1');
    expect(error.message).not.toContain('secret');
  });
});

describe('a name that resolves to another address for the connection', () => {
  it('is refused then, and nothing is sent', async () => {
    const { seen, port } = await aServer((_, response) => response.end());
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const policy = { allowPrivate: false, resolve: async () => answers.shift() ?? ['127.0.0.1'] };
    const url = `https://rebinding.example.com:${port}/`;

    await checkDestination(url, policy);
    const sent = aClient(policy).send(to(url));

    await expect(sent).rejects.toThrow(DestinationRefused);
    expect(seen).toHaveLength(0);
  });

  it('is dialled at exactly the checked address', async () => {
    const { seen, port } = await aServer((_, response) => response.end('here'));
    const hosts: string[] = [];
    const resolve = async (host: string): Promise<string[]> => {
      hosts.push(host);
      return ['127.0.0.1'];
    };

    const answer = await aClient({ allowPrivate: true, resolve }).send(to(`http://no-such-name.invalid:${port}/`));

    expect(answer.body.toString()).toBe('here');
    expect(hosts).toEqual(['no-such-name.invalid']);
    expect(seen[0]?.headers.host).toBe(`no-such-name.invalid:${port}`);
  });
});
