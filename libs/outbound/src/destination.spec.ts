import { checkDestination } from './destination.js';
import { DestinationRefused } from './outbound-error.js';

const resolvesTo =
  (...addresses: string[]) =>
  async (): Promise<string[]> =>
    addresses;
const nobody = async (): Promise<string[]> => {
  throw new DestinationRefused('ENOTFOUND');
};

const check = (url: string, resolve = resolvesTo('93.184.216.34'), allowPrivate = false): Promise<URL> =>
  checkDestination(url, { allowPrivate, resolve });

describe('a saved URL', () => {
  it('is accepted when all its addresses are on the internet', async () => {
    expect((await check('https://hooks.example.com/a?b=c')).href).toBe('https://hooks.example.com/a?b=c');
  });

  it('is accepted when its name does not resolve yet, because each connection checks it again', async () => {
    await expect(check('https://not-yet.example.com/', nobody)).resolves.toBeInstanceOf(URL);
  });

  it('is refused when one of several addresses is private', async () => {
    await expect(check('https://example.com/', resolvesTo('93.184.216.34', '10.0.0.1'))).rejects.toThrow(
      DestinationRefused,
    );
  });

  it.each([
    ['not a URL', /not a URL/],
    ['http://example.com/', /https/],
    ['ftp://example.com/', /https/],
    ['https://user:word@example.com/', /user name or password/],
    [`https://example.com/${'a'.repeat(3_000)}`, /longer/],
  ])('is refused: %s', async (url, reason) => {
    await expect(check(url)).rejects.toThrow(reason);
  });

  it.each([
    ...['https://127.0.0.1/', 'https://2130706433/', 'https://0x7f000001/', 'https://0177.0.0.1/', 'https://127.1/'],
    ...['https://0x7f.1/', 'https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[0:0:0:0:0:ffff:7f00:1]/'],
    ...[
      'https://[64:ff9b::7f00:1]/',
      'https://[2002:7f00:1::]/',
      'https://169.254.169.254/latest/meta-data',
      'https://１２７.0.0.1/',
    ],
  ])('is refused in any spelling of a private address: %s', async (url) => {
    await expect(check(url)).rejects.toThrow(DestinationRefused);
  });
});

describe('with private destinations allowed', () => {
  it('accepts http and private addresses, but still no address that offers credentials', async () => {
    await expect(check('http://localhost:8080/', resolvesTo('127.0.0.1'), true)).resolves.toBeInstanceOf(URL);
    await expect(check('http://169.254.169.254/', nobody, true)).rejects.toThrow(DestinationRefused);
  });
});
