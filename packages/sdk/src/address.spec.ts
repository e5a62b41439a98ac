import { ConnectionError, createClient } from './index.js';

describe('The address of an API', () => {
  it.each(['nonsense', '', 'localhost:3000', 'ftp://example.com', '/api'])('is refused when it is "%s"', (url) => {
    expect(() => createClient({ url })).toThrow(`"${url}" is not an address that begins with http:// or https://.`);
  });

  it('has no login in a message', async () => {
    const url = 'http://user:hidden@127.0.0.1:9';
    const reason = new TypeError(`Request cannot be constructed from a URL that includes credentials: ${url}`);
    const failing = createClient({ url, tenantId: 1, retries: 0, fetch: () => Promise.reject(reason) });

    const error = await failing.divisions.list().then(undefined, (one: unknown) => one as Error);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message: expect.stringContaining('GET http://127.0.0.1:9/tenants/1/divisions: Request cannot') as string,
    });
    expect((error as Error).message).not.toContain('hidden');
    expect(() => createClient({ url: 'ftp://user:hidden@example.com' })).toThrow(
      '"ftp://example.com" is not an address',
    );
  });
});
