import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiClient } from './api-client.js';

describe('the API client of the demo', () => {
  const client = new ApiClient('ld_a_b_c');
  const { signal } = new AbortController();

  it('repeats a request with the same key when its answer was lost', async () => {
    const keys: unknown[] = [];
    const { url, close } = await serve((request, response) => {
      keys.push(request.headers['idempotency-key']);
      if (keys.length === 1) response.destroy();
      else response.writeHead(202).end('{"operation_id":7}');
    });

    const accepted = await client.post(url, {}, 'one-wish');
    close();

    expect(accepted).toEqual({ operation_id: 7 });
    expect(keys).toEqual(['one-wish', 'one-wish']);
  });

  it('does not repeat a refused request, and reports all its faults', async () => {
    let requests = 0;
    const issues = [{ path: '/region', code: 'unknown', reason: 'is not a region of aws' }];
    const { url, close } = await serve((_request, response) => {
      requests += 1;
      response.writeHead(400).end(JSON.stringify({ code: 'validation_failed', instance: 'abc', field_issues: issues }));
    });

    const refusal = await client.post(url, {}, 'one-wish').catch((error: Error) => error.message);
    close();

    expect(requests).toBe(1);
    expect(refusal).toMatch(
      /returned 400\n +code +validation_failed\n +instance +abc\n +field +\/region is not a region/,
    );
  });

  it('shows a response that is not JSON', async () => {
    const { url, close } = await serve((_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));

    const refusal = await client.get(url, signal).catch((error: Error) => error.message);
    close();

    expect(refusal).toMatch(/returned 502\n +detail +<h1>Bad gateway<\/h1>/);
  });

  it('reports the reason when the server does not answer', async () => {
    const { url, close } = await serve(() => undefined);
    close();

    await expect(client.get(url, signal)).rejects.toThrow(/got no response: connect ECONNREFUSED/);
  });
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(answer: Handler): Promise<{ url: string; close: () => void }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
