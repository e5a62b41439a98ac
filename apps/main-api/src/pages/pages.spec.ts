import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('A page of a mailed link', () => {
  let cloud: TestMainApi;
  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
  });
  afterAll(() => cloud.close());

  const page = async (path: string) => {
    const response = await fetch(`${cloud.mainApi.url}/pages/${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it.each(['verify', 'channel', 'unsubscribe', 'reset', 'forgot', 'sign_in', 'sign_up', 'command_line', 'home'])(
    '%s is HTML that loads nothing from other hosts and runs no inline script',
    async (name) => {
      const { status, headers, text } = await page(`${name}?token=abc`);

      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy.split(';')).toEqual(expect.arrayContaining(["script-src 'self'", "script-src-attr 'none'"]));
      expect(text).toMatch(/^<!doctype html>/i);
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
      expect(text).not.toMatch(/<script>|\son\w+="/);
    },
  );

  it('escapes the token of its link', async () => {
    const { text } = await page(`verify?token=${encodeURIComponent('"><script>alert(1)</script>')}`);

    expect(text).not.toContain('<script>alert');
  });

  it('changes nothing when it is read', async () => {
    const before = await cloud.rows('select count(*) from audit_entries');

    await page('unsubscribe?token=abc');

    expect(await cloud.rows('select count(*) from audit_entries')).toEqual(before);
    expect((await page('nowhere')).status).toBe(404);
  });
});
