import { request as send, type OutgoingHttpHeaders } from 'node:http';
import { mintApiKey, mintSession } from '@libs/domain';
import { given, TestCloud } from '@libs/testing';

/** The status of an answer, with the code of a refusal. */
type Cell = string;

/** Sends a header that is an array once for each value, which `fetch` cannot. */
const get = (url: string, headers: OutgoingHttpHeaders): Promise<Cell> =>
  new Promise((resolve, reject) => {
    send(url, { headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        const { code } = JSON.parse(text) as { code?: string };
        resolve([response.statusCode, response.statusCode === 200 ? '' : code].join(' ').trim());
      });
    })
      .on('error', reject)
      .end();
  });

describe('The credentials of a request', () => {
  let cloud: TestCloud;
  let routes: Record<string, string>;
  let keys: Record<string, string | string[] | null>;
  let cookies: Record<string, string | null>;

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    const [tenant, { tenantId: foreign }] = [cloud.installation.tenant_id, await given.tenant(cloud)];
    const member = { tenantId: tenant, roles: ['owner'] };
    const person = await given.person(cloud, { email: 'credentials@example.test', member });
    const stranger = await given.person(cloud, {
      email: 'credentials-of-another@example.test',
      member: { tenantId: foreign, roles: ['owner'] },
    });
    const key = await given.key(cloud, { permissions: {} });
    const [mainApi, supervisor] = [cloud.mainApi.url, cloud.supervisor.url];
    routes = {
      'main API, public': `${mainApi}/pricing`,
      'main API, key or session': `${mainApi}/tenants/${tenant}`,
      'main API, key only': `${mainApi}/tenants/${tenant}/api_keys/context`,
      'main API, session only': `${mainApi}/account`,
      'Supervisor, key or token': `${supervisor}/deployments/1/heartbeats`,
    };
    const { body: token } = await cloud
      .main(null)
      .post(
        `/tenants/${tenant}/supervisor_tokens`,
        { supervisor_url: supervisor },
        (await given.session(cloud, person.id)).headers,
      );
    keys = {
      none: null,
      empty: '',
      malformed: 'nonsense',
      wrong: mintApiKey(1),
      right: key,
      twice: [key, key],
      token: token.token,
      'wrong token': `${token.token}x`,
    };
    const [own, others] = [await given.session(cloud, person.id), await given.session(cloud, stranger.id)];
    cookies = {
      none: null,
      wrong: `ld_session=${mintSession(1)}`,
      right: own.cookie.cookie,
      'other tenant': others.cookie.cookie,
      twice: `${own.cookie.cookie}; ${own.cookie.cookie}`,
    };
  });
  afterAll(() => cloud.stop());

  it('are judged by one way to authenticate: a key that was sent is never passed over for a cookie', async () => {
    const lines: string[] = [];
    for (const [route, url] of Object.entries(routes))
      for (const [kind, key] of Object.entries(keys)) {
        const cells: Cell[] = [];
        for (const cookie of Object.values(cookies))
          cells.push(
            await get(url, { ...(key !== null && { 'ld-api-key': key }), ...(cookie !== null && { cookie }) }),
          );
        const isEven = new Set(cells).size === 1;
        lines.push(`${route}; key ${kind}: ${isEven ? `${cells[0]}, whatever the cookie` : cells.join(' | ')}`);
      }

    expect([`cookie: ${Object.keys(cookies).join(' | ')}`, ...lines]).toMatchInlineSnapshot(`
      [
        "cookie: none | wrong | right | other tenant | twice",
        "main API, public; key none: 200, whatever the cookie",
        "main API, public; key empty: 200, whatever the cookie",
        "main API, public; key malformed: 200, whatever the cookie",
        "main API, public; key wrong: 200, whatever the cookie",
        "main API, public; key right: 200, whatever the cookie",
        "main API, public; key twice: 200, whatever the cookie",
        "main API, public; key token: 200, whatever the cookie",
        "main API, public; key wrong token: 200, whatever the cookie",
        "main API, key or session; key none: 401 unauthenticated | 401 unauthenticated | 200 | 404 tenant_not_found | 401 unauthenticated",
        "main API, key or session; key empty: 401 unauthenticated, whatever the cookie",
        "main API, key or session; key malformed: 401 unauthenticated, whatever the cookie",
        "main API, key or session; key wrong: 401 unauthenticated, whatever the cookie",
        "main API, key or session; key right: 403 insufficient_permissions, whatever the cookie",
        "main API, key or session; key twice: 401 unauthenticated, whatever the cookie",
        "main API, key or session; key token: 401 unauthenticated, whatever the cookie",
        "main API, key or session; key wrong token: 401 unauthenticated, whatever the cookie",
        "main API, key only; key none: 401 unauthenticated, whatever the cookie",
        "main API, key only; key empty: 401 unauthenticated, whatever the cookie",
        "main API, key only; key malformed: 401 unauthenticated, whatever the cookie",
        "main API, key only; key wrong: 401 unauthenticated, whatever the cookie",
        "main API, key only; key right: 200, whatever the cookie",
        "main API, key only; key twice: 401 unauthenticated, whatever the cookie",
        "main API, key only; key token: 401 unauthenticated, whatever the cookie",
        "main API, key only; key wrong token: 401 unauthenticated, whatever the cookie",
        "main API, session only; key none: 401 unauthenticated | 401 unauthenticated | 200 | 200 | 401 unauthenticated",
        "main API, session only; key empty: 401 unauthenticated, whatever the cookie",
        "main API, session only; key malformed: 401 unauthenticated, whatever the cookie",
        "main API, session only; key wrong: 401 unauthenticated, whatever the cookie",
        "main API, session only; key right: 403 api_key_not_allowed, whatever the cookie",
        "main API, session only; key twice: 401 unauthenticated, whatever the cookie",
        "main API, session only; key token: 401 unauthenticated, whatever the cookie",
        "main API, session only; key wrong token: 401 unauthenticated, whatever the cookie",
        "Supervisor, key or token; key none: 401 unauthenticated, whatever the cookie",
        "Supervisor, key or token; key empty: 401 unauthenticated, whatever the cookie",
        "Supervisor, key or token; key malformed: 401 unauthenticated, whatever the cookie",
        "Supervisor, key or token; key wrong: 401 unauthenticated, whatever the cookie",
        "Supervisor, key or token; key right: 404 deployment_not_found, whatever the cookie",
        "Supervisor, key or token; key twice: 401 unauthenticated, whatever the cookie",
        "Supervisor, key or token; key token: 404 deployment_not_found, whatever the cookie",
        "Supervisor, key or token; key wrong token: 401 unauthenticated, whatever the cookie",
      ]
    `);
  });
});
