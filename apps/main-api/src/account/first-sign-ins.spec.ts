import { request } from 'node:http';
import { resolve, join } from 'node:path';
import { offerFirstSignIn, withdrawFirstSignIn } from '@libs/persistence/migrations';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const PASSWORD = 'a long enough phrase';

describe('The link of a start', () => {
  let cloud: TestMainApi;
  beforeAll(async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
  });
  afterAll(() => cloud.close());

  const database = (): string => cloud.installation.role_urls.main_api;
  async function offered(): Promise<string> {
    const token = await offerFirstSignIn(database());
    if (token === null) throw new TypeError('the owner is verified');
    return token;
  }
  const open = (token: unknown, headers = {}) => cloud.main(null).post('/account/first_sign_in', { token }, headers);

  it('signs the first owner in, like a password', async () => {
    const { status, headers, body } = await open(await offered());

    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['csrf_token', 'email', 'expiry']);
    expect(body.email).toBe(cloud.installation.owner_email);
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect(headers.get('set-cookie')).toMatch(/^ld_session=[^;]+; Max-Age=43200; .*HttpOnly/);
    const account = (await cloud.main(null).get('/account', { cookie })).body;
    expect(account).toMatchObject({ email: body.email, verified: true, csrf_token: body.csrf_token });
    expect((await cloud.main(null).get(cloud.tenant, { cookie })).status).toBe(200);
  });

  it('ends the session that the browser had before', async () => {
    const cookieOf = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const old = cookieOf((await open(await offered())).headers);

    const fresh = cookieOf((await open(await offered(), { cookie: old })).headers);

    expect(await cloud.main(null).get('/account', { cookie: old })).toBeProblem('unauthenticated');
    expect((await cloud.main(null).get('/account', { cookie: fresh })).status).toBe(200);
  });

  it('works once, also when two browsers open it at the same time', async () => {
    const token = await offered();

    const answers = await Promise.all([open(token), open(token)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await open(token)).toBeProblem('first_sign_in_invalid');
  });

  it('has one refusal for every fault', async () => {
    const expired = await offered();
    await cloud.rows(`update email_tokens set expires_at = now() where purpose = 'first_sign_in'`);
    const refusals = [await open(expired)];
    const replaced = await offered();
    await offered();
    refusals.push(await open(replaced));
    const withdrawn = await offered();
    await withdrawFirstSignIn(database());
    refusals.push(await open(withdrawn), await open('wrong'), await open(''));

    for (const refused of refusals) expect(refused).toBeProblem('first_sign_in_invalid');
    expect(new Set(refusals.map(({ body }) => body.detail)).size).toBe(1);
  });

  it('is no token of a mail, and a token of a mail is no such link', async () => {
    const token = await offered();

    expect(await cloud.main(null).put('/account/password_reset', { token, password: PASSWORD })).toBeProblem(
      'email_token_invalid',
    );
    await cloud.rows(`update email_tokens set purpose = 'reset' where purpose = 'first_sign_in'`);
    expect(await open(token)).toBeProblem('first_sign_in_invalid');
  });

  it('is stored only by its hash, for 15 minutes, and is in no log', async () => {
    const token = await offered();

    const rows = await cloud.rows<{ seconds: number }>(
      `select *, extract(epoch from expires_at - created_at)::int as seconds from email_tokens where purpose = 'first_sign_in'`,
    );
    await open(token);

    expect(rows.map(({ seconds }) => seconds)).toEqual([900]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(cloud.mainApi.log()).not.toContain(token);
  });

  it.each(['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'])(
    'does not work through a proxy that sends %s, and stays valid',
    async (name) => {
      const token = await offered();

      expect(await open(token, { [name]: '127.0.0.1' })).toBeProblem('first_sign_in_invalid');
      expect((await open(token)).status).toBe(200);
    },
  );

  it('does not work while other machines reach the main API', async () => {
    const exposed = await cloud.another({ MAIN_API_HOST: '0.0.0.0' });
    const token = await offered();
    try {
      const answer = await fetch(`${exposed.url}/account/first_sign_in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      });

      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'first_sign_in_invalid' }]);
    } finally {
      await exposed.close();
    }
    expect((await open(token)).status).toBe(200);
  });

  // The test's client has a loopback address here. A client of a container has the address of its network, and the same `Host`.
  it('works in a container whose port is on a loopback address of the host, under a loopback name', async () => {
    const inContainer = await cloud.another({ MAIN_API_HOST: '0.0.0.0', MAIN_API_ON_LOOPBACK_OF_HOST: 'true' });
    const { port } = new URL(inContainer.url);
    const statusFor = (token: string, headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((settle, fail) => {
        const type = { 'content-type': 'application/json' };
        const options = { port, method: 'POST', path: '/account/first_sign_in', headers: { ...type, ...headers } };
        const call = request(options, (answer) => settle(answer.resume().statusCode));
        call.once('error', fail).end(JSON.stringify({ token }));
      });
    const token = await offered();
    try {
      for (const headers of [
        { host: 'cloud.example.com:3000' },
        { host: '192.0.2.1:3000' },
        { host: 'localhost:3000', 'x-forwarded-for': '192.0.2.1' },
      ])
        expect([headers, await statusFor(token, headers)]).toEqual([headers, 400]);
      expect(await statusFor(token, { host: 'localhost:3000' })).toBe(200);
    } finally {
      await inContainer.close();
    }
  });

  it('is not offered while the owner has no verified address', async () => {
    await cloud.rows('update users set email_verified_at = null');

    expect(await offerFirstSignIn(database())).toBeNull();

    await cloud.rows('update users set email_verified_at = now()');
  });
});

describe('The folder of the mails', () => {
  let cloud: TestMainApi;
  afterEach(() => cloud.close());

  const signUp = (headers = {}) =>
    cloud
      .main(null)
      .post('/account/sign_up', { email: `${Date.now()}@gmail.com`, password: PASSWORD, name: 'Ann' }, headers);

  it('is named to a person at the machine, and to nobody behind a proxy', async () => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api' });
    const folder = resolve(join(cloud.directory, 'mail'));

    expect((await signUp()).body.mail_folder).toBe(folder);
    expect((await signUp({ 'x-forwarded-for': '10.0.0.1' })).body.mail_folder).toBeNull();
  });

  it.each([
    ['with a mail server', { SMTP_URL: 'smtp://127.0.0.1:1' }],
    ['while other machines reach the main API', { MAIN_API_HOST: '0.0.0.0' }],
  ])('is named to nobody %s', async (_, settings) => {
    cloud = await TestMainApi.open({ LANDLORD_ROLE: 'api', ...settings });

    expect((await signUp()).body.mail_folder).toBeNull();
  });
});
