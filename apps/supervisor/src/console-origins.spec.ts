import { consoleOrigins } from './console-origins.js';

const UNSET = { LANDLORD_PUBLIC_URL: undefined, TLS_CERT: undefined, MAIN_API_PORT: 3000 };

describe('The origins of the console', () => {
  it.each([
    [{}, ['http://localhost:3000', 'http://127.0.0.1:3000']],
    [{ TLS_CERT: 'cert.pem' }, ['https://localhost:3000', 'https://127.0.0.1:3000']],
    [{ LANDLORD_PUBLIC_URL: 'https://cloud.example/landlord/' }, ['https://cloud.example']],
    [{ LANDLORD_PUBLIC_URL: 'https://cloud.example:8443' }, ['https://cloud.example:8443']],
    [{ LANDLORD_PUBLIC_URL: 'http://localhost:3001/' }, ['http://localhost:3001', 'http://127.0.0.1:3001']],
    [{ LANDLORD_PUBLIC_URL: 'http://[::1]' }, ['http://[::1]', 'http://localhost', 'http://127.0.0.1']],
    [{ LANDLORD_PUBLIC_URL: 'https://localhost.example' }, ['https://localhost.example']],
  ])('of %j are %j', (addresses, origins) => {
    expect(consoleOrigins({ ...UNSET, ...addresses }, false)).toEqual(origins);
  });

  it('are also the two names of the machine if the launcher runs both apps there', () => {
    const names = ['http://localhost:3000', 'http://127.0.0.1:3000'];

    expect(consoleOrigins({ ...UNSET, LANDLORD_PUBLIC_URL: 'https://cloud.example' }, true)).toEqual([
      'https://cloud.example',
      ...names,
    ]);
    expect(consoleOrigins(UNSET, true)).toEqual(names);
  });
});
