import { existsSync, readFileSync } from 'node:fs';
import { TestCloud } from '@libs/testing';

const BUILT = 'dist/console/index.html';

describe('The console of a running installation', () => {
  let cloud: TestCloud;
  beforeAll(async () => {
    cloud = await TestCloud.borrow({ env: { LANDLORD_ROLE: 'api' } });
  });
  afterAll(() => cloud.stop());

  it('is the built page, or says that it is not built', async () => {
    const page = await fetch(`${cloud.mainApi.url}/console/welcome`);
    const text = await page.text();

    expect(page.status).toBe(200);
    if (existsSync(BUILT)) expect(text).toBe(readFileSync(BUILT, 'utf8'));
    else expect(text).toContain('<h1>The console is not built</h1>');
    expect(page.headers.get('content-security-policy')).toContain(`connect-src 'self' ${cloud.supervisor.url};`);
  });

  it('is where a browser arrives at the address of the API', async () => {
    const arrival = await fetch(cloud.mainApi.url, { headers: { accept: 'text/html' } });

    expect([arrival.status, arrival.url]).toEqual([200, `${cloud.mainApi.url}/console/`]);
  });

  it('is not part of the API description', async () => {
    const { paths } = (await (await fetch(`${cloud.mainApi.url}/openapi.json`)).json()) as { paths: object };

    expect(Object.keys(paths).filter((path) => path === '/' || path.startsWith('/console'))).toEqual([]);
    expect(Object.keys(paths).length).toBeGreaterThan(50);
  });
});
