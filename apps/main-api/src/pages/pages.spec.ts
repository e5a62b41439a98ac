import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('A link of an older mail', () => {
  let cloud: TestMainApi;
  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
  });
  afterAll(() => cloud.close());

  const led = async (path: string) => {
    const { status, headers } = await fetch(`${cloud.mainApi.url}/pages/${path}`, { redirect: 'manual' });
    return [status, headers.get('location'), headers.get('cache-control')];
  };

  it.each([
    ['home', '/console/'],
    ['verify?token=a-b_c', '/console/verify#a-b_c'],
    ['reset?token=a-b_c', '/console/reset#a-b_c'],
    ['channel?token=a-b_c', '/console/confirm-address#a-b_c'],
    ['unsubscribe?token=7.a-b_c', '/console/unsubscribe#7.a-b_c'],
    ['forgot', '/console/forgot'],
    ['sign_in?next=%2Fpages%2Fhome', '/console/sign-in'],
    ['sign_up?email=ann%2Bx%40cloud.example', '/console/sign-up?email=ann%2Bx%40cloud.example'],
    ['invitation?id=7', '/console/account/invitations/7'],
    ['ownership_transfer?id=7', '/console/account/ownership-transfers/7'],
    ['join_request?tenant_id=3&id=7', '/console/t/3/join-requests/7'],
    [
      'command_line?name=a%26b&code_challenge=c&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F&state=s',
      '/console/command-line?name=a%26b&code_challenge=c&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F&state=s',
    ],
  ])('%s leads to %s', async (path, page) => {
    expect(await led(path)).toEqual([302, page, 'no-store']);
  });

  it.each(['verify?token=%0d%0aset-cookie%3A%20a', 'sign_up?email=%0d%0aset-cookie%3A%20a'])(
    'leads nowhere else: %s',
    async (path) => {
      const [status, page] = await led(path);

      expect([status, page]).toEqual([302, expect.stringMatching(/^\/console\/(verify|sign-up)[#?][\w=%+-]+$/)]);
    },
  );

  it('that is none has no page', async () => {
    expect(await led('nowhere')).toEqual([404, null, 'no-store']);
    expect(await led('invitation?id=..%2f..%2faccount')).toEqual([400, null, 'no-store']);
  });

  it('changes nothing when it is read', async () => {
    const before = await cloud.rows('select count(*) from audit_entries');

    await led('unsubscribe?token=abc');

    expect(await cloud.rows('select count(*) from audit_entries')).toEqual(before);
  });
});
