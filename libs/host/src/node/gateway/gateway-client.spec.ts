import { createServer } from 'node:http';
import { GatewayError } from '../agent-error.js';
import { Backoff } from './backoff.js';
import { GatewayClient } from './gateway-client.js';
import { gatewayAddress } from './gateway-transport.js';
import { ServerClock } from './server-clock.js';

/** A client with a gateway that always answers the same. Returns the answer of one long poll, and the clock after it. */
async function poll(status: number, headers: Record<string, string>, body = '') {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const clock = new ServerClock();
  const client = await GatewayClient.to(`http://127.0.0.1:${(server.address() as { port: number }).port}`, clock);
  const { signal } = new AbortController();
  const answer = client.desired({ timeline: 0, generation: 0 }, 'Bearer 1.x', signal);
  const result = await answer.catch((error: unknown) => error);
  client.close();
  await new Promise((resolve) => server.close(resolve));
  return { result, clock };
}

describe('GatewayClient', () => {
  it.each(['https://gateway.example', 'http://127.0.0.1:4001', 'http://localhost:1', 'http://[::1]:1'])(
    'may call %s',
    (url) => expect(gatewayAddress(url).href).toContain('://'),
  );

  it.each(['http://gateway.example', 'http://10.0.0.1', 'http://127.0.0.1.example', 'ftp://localhost', 'nonsense', ''])(
    'must not send a credential to "%s"',
    (url) => expect(() => gatewayAddress(url)).toThrow('agent_url must be https, or http to the loopback'),
  );

  it('reads the server time from an unchanged answer', async () => {
    const { result, clock } = await poll(204, { 'ld-server-time': new Date(Date.now() + 60_000).toISOString() });

    expect(result).toBeNull();
    expect(Math.abs(clock.offsetMs - 60_000)).toBeLessThan(30_000);
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '999999' }, 600_000],
    [{}, null],
  ])('returns a refusal with its code and its delay %j', async (headers, retryAfterMs) => {
    const { result } = await poll(503, headers, '{"code":"provider_unavailable"}');

    expect(result).toBeInstanceOf(GatewayError);
    expect(result).toMatchObject({ status: 503, code: 'provider_unavailable', retryAfterMs });
  });

  it.each(['{}', 'not json', '[]', '{"document":1}'])('refuses %s as a document', async (body) => {
    expect((await poll(200, {}, body)).result).toMatchObject({ message: 'the gateway sent no document' });
  });
});

describe('Backoff', () => {
  it('stays below a bound that doubles up to a minute, and never below the requested delay', () => {
    const backoff = new Backoff();
    const bounds = [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000);

    for (const bound of bounds) expect(backoff.next()).toBeLessThanOrEqual(bound);
    backoff.reset();
    expect(backoff.next(5_000)).toBe(5_000);
  });
});
