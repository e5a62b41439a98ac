import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { LoopbackListener } from './loopback-listener.js';

describe('The port of a login', () => {
  const state = randomBytes(32).toString('base64url');
  let listener: LoopbackListener;
  beforeEach(async () => {
    listener = await LoopbackListener.open(state);
  });
  afterEach(() => listener.close());

  /** Sends the path as it is: `fetch` would tidy it. */
  async function asked(path: string, method = 'GET'): Promise<number | undefined> {
    const { hostname, port } = new URL(listener.redirect_uri);
    const call = request({ hostname, port, path, method });
    call.end();
    const [response] = await once(call, 'response');
    response.resume();
    return response.statusCode;
  }

  it.each([
    ['a path that is no address', '//'],
    ['an address that is none', 'http://['],
    ['the state with other letters of the same number', `/?code=other&state=${encodeURIComponent('é'.repeat(43))}`],
    ['a state of another length', '/?code=other&state=short'],
    ['another path', `/other?code=other&state=${state}`],
    ['no code', `/?state=${state}`],
  ])('refuses %s, and goes on waiting', async (_, path) => {
    const code = listener.code();

    expect(await asked(path)).toBe(400);
    void asked(`/?code=right&state=${state}`);
    expect(await code).toBe('right');
    listener.answer('Done.');
  });

  it.each(['HEAD', 'POST', 'OPTIONS'])('takes no code by %s', async (method) => {
    const code = listener.code();

    expect(await asked(`/?code=other&state=${state}`, method)).toBe(400);
    void asked(`/?code=right&state=${state}`);
    expect(await code).toBe('right');
    listener.answer('Done.');
  });
});
