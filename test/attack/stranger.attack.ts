import { gzipSync } from 'node:zlib';
import { eventually, given, MailFolder, TestCloud, type ApiAnswer } from '@libs/testing';

const PASSWORD = 'a long enough phrase';
const STARTER = { cloud: 'aws', region: 'us-east-1' };
const PUBLIC_POSTS = ['sign_in', 'sign_up', 'verify', 'password_reset'];
/** Processor seconds that a whole attack may cost: the attack once cost 20 seconds. */
const LITTLE = 1;

/** Attacks without a key, or with an unverified account, against an installation with default settings. */
describe('A caller without a key', () => {
  let cloud: TestCloud;
  let mails: MailFolder;

  beforeAll(async () => {
    cloud = await TestCloud.start({ env: { RATE_LIMIT: '1000000', TRUSTED_PROXIES: '127.0.0.1' } });
    mails = new MailFolder(cloud.directory);
  });
  afterAll(() => cloud.stop());

  /** A request of the attacker or of another client, by the address that the proxy reports. */
  const post = (path: string, body: unknown, from = '203.0.113.9'): Promise<ApiAnswer> =>
    cloud.main(null).post(`/account/${path}`, body, { 'x-forwarded-for': from });
  const signUp = (email: string, name = 'Ann'): Promise<ApiAnswer> =>
    post('sign_up', { email, password: PASSWORD, name }, '198.51.100.7');

  /** Signs in with the password; returns a client with the session. */
  async function session(email: string, password = PASSWORD) {
    const answer = await post('sign_in', { email, password }, '198.51.100.8');
    expect(answer.status).toBe(200);
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const headers = { cookie, 'x-csrf-token': answer.body.csrf_token as string };
    return {
      get: (path: string) => cloud.main(null).get(path, { cookie }),
      post: (path: string, body: object = {}) => cloud.main(null).post(path, body, headers),
      put: (path: string, body: object = {}) => cloud.main(null).put(path, body, headers),
    };
  }

  async function ownTenant(email: string): Promise<{ tenant: string; division: string }> {
    const [row] = await cloud.rows<{ tenant: string; division: string }>(
      `select t.id as tenant, d.id as division from tenants t join users u on u.id = t.owner_id
         join divisions d on d.tenant_id = t.id where u.email = $1`,
      [email],
    );
    return { tenant: `/tenants/${row?.tenant}`, division: `/tenants/${row?.tenant}/divisions/${row?.division}` };
  }

  it('1: cannot block the main API with bodies of many members', async () => {
    const members = Array.from({ length: 90_000 }, (_, index) => `"a${index}":1`).join(',');
    const raw = gzipSync(`{${members}}`);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const before = await processorSeconds();

    const answers = await Promise.all(
      PUBLIC_POSTS.map((path) => cloud.main(null).call('POST', `/account/${path}`, { raw, headers })),
    );

    for (const answer of answers) expect(answer).toBeProblem('payload_too_large', { status: 413 });
    expect((await processorSeconds()) - before).toBeLessThan(LITTLE);
  });

  it('3: keeps nothing in the account of the real owner of an address', async () => {
    const email = 'victim@acme-corp.example';
    await signUp(email, 'Mallory');
    const mallory = await session(email);
    const { tenant, division } = await ownTenant(email);
    const key = { name: 'k', expiry_at: '2099-01-01', permissions: { tenant: ['info:read'] } };
    const before = await cloud.rows('select 1 from api_keys');

    expect(await mallory.post(`${tenant}/api_keys`, key)).toBeProblem('email_not_verified', { status: 403 });
    const channel = { channel: 'email', name: 'c', destination: 'mallory@evil.example' };
    expect(await mallory.post(`${tenant}/channels`, channel)).toBeProblem('email_not_verified');
    const invitation = { email: 'mallory@evil.example' };
    expect(await mallory.post(`${tenant}/invitations`, invitation)).toBeProblem('email_not_verified');
    expect(await mallory.post(`${division}/deployments/starter`, STARTER)).toBeProblem('email_not_verified');

    const mail = await mails.after(email, () => post('password_reset', { email }, '198.51.100.9'));
    const token = /^[\w-]{40,}$/m.exec(mail.text)?.[0];
    const answer = await cloud.main(null).put('/account/password_reset', { token, password: 'quite another phrase' });

    expect(answer.status).toBeLessThan(300);
    expect((await mallory.get('/account')).status).toBe(401);
    expect(await cloud.rows('select 1 from api_keys')).toHaveLength(before.length);
  });

  it('7: cannot find out if an address has an account', async () => {
    await signUp('known@acme-corp.example');
    const name = `a${String.fromCharCode(0xd800)}`;

    for (const text of [name, 'x'.repeat(99) + '😀', `${'y'.repeat(83)}😀`, 'a\0b']) {
      const known = await signUp('known@acme-corp.example', text);
      const unknown = await signUp(`unknown-${text.length}-${Math.random()}@acme-corp.example`, text);
      expect([known.status, known.body.code]).toEqual([unknown.status, unknown.body.code]);
      expect(known.status).toBeLessThan(500);
    }
  });

  it('8: cannot send mails to other people', async () => {
    const { tenant } = cloud;
    const victim = 'victim@elsewhere.example';
    const mailsToVictim = () => mails.to(victim);
    const channel = { channel: 'email', destination: victim };
    for (const name of ['http://evil.example/win', 'see www.evil.example']) {
      expect(await signUp('mallory@acme-corp.example', name)).toBeProblem('validation_failed');
      expect(await cloud.main().put(tenant, { name })).toBeProblem('validation_failed');
      expect(await cloud.main().post(`${tenant}/divisions`, { name })).toBeProblem('validation_failed');
      expect(await cloud.main().post(`${tenant}/channels`, { ...channel, name })).toBeProblem('validation_failed');
    }
    await cloud.rows(`update tenants set name = '[Click http://evil.example/win now'`);

    const { body } = await cloud.main().post(`${tenant}/channels`, { ...channel, name: 'Your invoice is overdue' });
    const path = `${tenant}/channels/${body.id}`;
    await cloud.main().post(`${path}/test`);
    const ended = await eventually('the test has ended', async () => {
      const { body: page } = await cloud.main().get(`${path}/deliveries`);
      return page.items[0]?.status === 'pending' ? null : page.items[0];
    });
    const again = await Promise.all(
      Array.from({ length: 60 }, () => cloud.main().post(`${path}/deliveries/${ended.id}/redeliver`)),
    );
    const asked = await Promise.all(Array.from({ length: 5 }, () => cloud.main().post(`${path}/confirmation`)));

    expect(ended).toMatchObject({ status: 'suppressed', status_reason: 'unconfirmed' });
    expect(again.filter(({ status }) => status === 204)).toHaveLength(1);
    for (const answer of asked) expect(answer).toBeProblem('confirmation_too_soon', { status: 429 });
    const [mail, ...others] = await eventually('the question has come', async () => {
      const all = await mailsToVictim();
      return all.length > 0 ? all : null;
    });
    expect(others).toEqual([]);
    expect(mail?.raw).not.toContain('evil.example');
    expect(mail?.text).not.toContain('evil.example');
    expect(mail?.html).not.toContain('evil.example');
  });

  it('9: cannot stop other users from signing in', async () => {
    const email = 'sleepy@acme-corp.example';
    await signUp(email);
    // Each address may send 30 requests a minute. Ten addresses send three times as many requests as can wait at once.
    const crowd = Array.from({ length: 300 }, (_, index) =>
      post('sign_in', { email: `nobody-${index}@crowd.example`, password: PASSWORD }, `203.0.113.${60 + (index % 10)}`),
    );

    const statuses: number[] = [];
    for (let tried = 0; tried < 5; tried += 1)
      statuses.push((await post('sign_in', { email, password: PASSWORD }, '198.51.100.77')).status);
    const ofCrowd = (await Promise.all(crowd)).map(({ status }) => status);

    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(ofCrowd.filter((status) => status === 503).length).toBeGreaterThan(100);
  });

  it('10: gets no answer that is larger than the request', async () => {
    const members = Array.from({ length: 900 }, (_, index) => `"a${index}":1`).join(',');
    const answer = await cloud.main(null).call('POST', '/account/sign_in', {
      raw: `{${members}}`,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.10' },
    });

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(answer.body.field_issues).toHaveLength(100);
    expect(JSON.stringify(answer.body).length).toBeLessThan(12_000);
  });

  it('10: gets a short message for each error', async () => {
    const email = { channel: 'email', name: 'Mine', destination: 'me@acme-corp.example' };
    const { body: channel } = await cloud.main().post(`${cloud.tenant}/channels`, email);
    const subscriptions = Array.from({ length: 500 }, () => ({ message_types: ['x'] }));

    const path = `${cloud.tenant}/channels/${channel.id}/subscriptions`;
    const answer = await cloud.main().put(path, { subscriptions });

    expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect(answer.body.field_issues).toHaveLength(100);
    expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
  });

  it('10: cannot store a large refusal', async () => {
    const permissions = { tenant: Array.from({ length: 1000 }, (_, index) => `${'x'.repeat(40)}${index}`) };
    const size = async (): Promise<number> => {
      const [row] = await cloud.rows<{ bytes: string }>(
        `select coalesce(sum(pg_column_size(r.*)), 0) as bytes from idempotency_records r`,
      );
      return Number(row?.bytes);
    };
    const before = await size();

    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((index) =>
        cloud.main().post(`${cloud.tenant}/roles`, { name: 'r', permissions }, { 'idempotency-key': `large-${index}` }),
      ),
    );

    for (const answer of answers) expect(answer).toBeProblem('validation_failed', { status: 400 });
    expect((await size()) - before).toBeLessThan(5 * 17 * 1024);
  });

  it('14: finds no secret in a shared cache', async () => {
    const key = { name: 'k', expiry_at: '2099-01-01', permissions: { tenant: ['info:read'] } };
    const made = await cloud.main().post(`${cloud.tenant}/api_keys`, { ...key, expiry_at: tomorrow() });
    const answers = [made, await cloud.main().get(cloud.tenant), await cloud.main(null).get('/account')];

    expect(made.status).toBe(201);
    for (const answer of answers) expect(answer.headers.get('cache-control')).toContain('no-store');
  });

  it('15: cannot start a node before the address is verified', async () => {
    const email = 'nodes@acme-corp.example';
    await signUp(email);
    const mallory = await session(email);
    const { division } = await ownTenant(email);

    expect(await mallory.post(`${division}/deployments/starter`, STARTER)).toBeProblem('email_not_verified');
    expect(await cloud.rows('select 1 from nodes')).toEqual([]);
  });

  it('19: cannot set a second session cookie from a host below the domain', async () => {
    const [mallory, victim] = [await signedIn('mallory'), await signedIn('victim')];
    const planted = mallory.session.replace('__Host-ld_session', 'ld_session');
    const secure = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.19' };
    const get = (cookie: string) => cloud.main(null).get('/account', { ...secure, cookie });

    expect(await get(planted)).toBeProblem('unauthenticated', { status: 401 });
    expect((await get(`${planted}; ${victim.session}`)).body.email).toBe(victim.email);
  });

  /** A user with a session; the cookie as a browser sends it over HTTPS. */
  async function signedIn(name: string): Promise<{ email: string; session: string }> {
    const email = `${name}-${Math.random()}@acme-corp.example`;
    const { id } = await given.user(cloud, { email });
    const { cookie } = (await given.session(cloud, id)).cookie;
    const session = cookie.split('; ').find((one) => one.startsWith('__Host-')) ?? '';
    return { email, session };
  }

  async function processorSeconds(): Promise<number> {
    const text = await (await fetch(`${cloud.mainApi.url}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
  }
});

const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
