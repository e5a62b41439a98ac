import { readFileSync } from 'node:fs';
import { EXPOSED_HEADERS } from '@libs/http';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

const CONSOLE = 'https://cloud.example';

describe('A page of another origin', () => {
  let cloud: TestSupervisor;
  beforeAll(async () => {
    cloud = await TestSupervisor.open({ LANDLORD_PUBLIC_URL: `${CONSOLE}/landlord` });
  });
  afterAll(() => cloud.close());

  const corsOf = (headers: Headers): string[] =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-')).sort();
  const preflight = (origin: string, path = `${cloud.tenant}/operations`) =>
    cloud.runtime(null).call('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'ld-api-key,content-type',
      },
    });

  it('may call the Supervisor if it is the console: its preflight needs no key', async () => {
    const { status, headers, body } = await preflight(CONSOLE);

    expect([status, body]).toEqual([204, null]);
    expect(Object.fromEntries(corsOf(headers).map((name) => [name, headers.get(name)]))).toEqual({
      'access-control-allow-headers':
        'ld-api-key, content-type, idempotency-key, if-match, if-none-match, last-event-id, accept',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-origin': CONSOLE,
      'access-control-max-age': '7200',
    });
    expect(headers.get('vary')?.toLowerCase()).toContain('origin');
  });

  it('reads the headers of answers and of refusals, but gets no credentials of the browser', async () => {
    for (const key of [cloud.key, null]) {
      const { headers } = await cloud.runtime(key).get(`${cloud.tenant}/operations`, { origin: CONSOLE });

      expect(corsOf(headers)).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
      expect(headers.get('access-control-allow-origin')).toBe(CONSOLE);
      expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(EXPOSED_HEADERS);
      expect(headers.get('vary')?.toLowerCase()).toBe('origin');
    }
  });

  it('can read each header that the description of the Supervisor names', () => {
    const document = readFileSync('contract/openapi.supervisor.json', 'utf8');
    const named = new Set(document.match(/"(ld-[a-z-]+|etag|link|location|retry-after|ratelimit-[a-z]+)"(?=:)/g));

    const missing = [...named].map((name) => name.slice(1, -1)).filter((name) => !EXPOSED_HEADERS.includes(name));

    expect(named.size).toBeGreaterThan(8);
    expect(missing).toEqual([]);
  });

  it.each([
    'null',
    '',
    'https://cloud.example.attacker.example',
    'https://attacker-cloud.example',
    'https://sub.cloud.example',
    'http://cloud.example',
    'https://cloud.example:8443',
    'https://cloud.example/',
    'https://cloud.example/landlord',
    'https://CLOUD.example',
    'http://localhost:3000',
    'https://cloud.example, https://attacker.example',
  ])('gets no header if it is %j', async (origin) => {
    const [asked, read] = [
      await preflight(origin),
      await cloud.runtime().get(`${cloud.tenant}/operations`, { origin }),
    ];

    expect(asked.status).not.toBe(204);
    expect([...corsOf(asked.headers), ...corsOf(read.headers)]).toEqual([]);
    expect([asked, read].map(({ headers }) => headers.get('vary')?.toLowerCase())).toEqual(['origin', 'origin']);
  });
});
