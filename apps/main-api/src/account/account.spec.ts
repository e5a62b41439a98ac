import { join } from 'node:path';
import { eventually } from '@libs/testing';
import { browserOf, PASSWORD, People, tokenIn } from '../../test/people.fixture.js';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

describe('An account', () => {
  let cloud: TestMainApi;
  let people: People;

  beforeAll(async () => {
    cloud = await TestMainApi.open();
    people = new People(cloud);
  });
  afterAll(() => cloud.close());

  const api = () => cloud.main(null);

  describe('at sign-up', () => {
    it('creates an organization in which the user can deploy once the address is verified', async () => {
      const email = people.address();

      const answer = await people.signUp(email, { name: 'Ada', tenant_name: 'Analytical Engines' });

      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({ email, mail_folder: join(cloud.directory, 'mail') });
      expect([...answer.headers.keys()].filter((name) => name.startsWith('ld-'))).toEqual(['ld-request']);
      const { headers, cookie } = await people.browser(email);
      const { body } = await api().get('/account', cookie);
      const [tenant] = body.tenants;
      expect(await api().get(`/tenants/${tenant.id}`, cookie)).toBeProblem('email_not_verified', { status: 403 });
      await people.verify(tokenIn(await people.mail(email, 'Verify your e-mail address')));
      expect(tenant).toMatchObject({ name: 'Analytical Engines', owner: true, active: true });
      const read = await api().get(`/tenants/${tenant.id}`, cookie);
      expect(read.body).toMatchObject({ email, subscription: { plan: 'basic' }, has_custom_email_domain: false });
      const roles = await api().get(`/tenants/${tenant.id}/roles`, cookie);
      expect(roles.body.items.map(({ name }: { name: string }) => name).sort()).toEqual(
        ['admin', 'billing', 'developer', 'owner', 'viewer'].sort(),
      );
      const { divisions } = (await api().get(`/tenants/${tenant.id}/structure`, cookie)).body;
      const path = `/tenants/${tenant.id}/divisions/${divisions[0].id}/deployments/starter`;
      expect((await api().post(path, { cloud: 'aws', region: 'us-east-1' }, headers)).status).toBe(202);
    });

    it('cuts a long name between characters, never inside a character', async () => {
      const name = `${'x'.repeat(84)}😀`;
      const email = people.address();

      const [fresh, again] = [await people.signUp(email, { name }), await people.signUp(email, { name })];

      expect([fresh.status, again.status]).toEqual([201, 201]);
      const [row] = await cloud.rows<any>('select name from tenants where email = $1', [email]);
      expect(row.name).toBe(`${'x'.repeat(84)}'s organization`);
    });

    it('names the organization after the user, and records the creator', async () => {
      const email = people.address();
      const answer = await people.signUp(email, { name: 'Grace' });

      const [entry] = await cloud.rows<any>(
        `select a.*, t.name as tenant from audit_entries a join tenants t on t.id = a.tenant_id
          where a.type = 'tenant_created' order by a.id desc limit 1`,
      );

      expect(entry).toMatchObject({ tenant: "Grace's organization", author_name: 'Grace', api_key_id: null });
      expect(entry.correlation_id.replaceAll('-', '')).toBe(answer.headers.get('ld-request'));
    });

    it('mails one link, readable as text and as HTML, with the token alone on a line', async () => {
      const email = people.address();
      await people.signUp(email, { name: '<b>Eve</b>' });

      const mail = await people.mail(email, 'Verify your e-mail address');
      const token = tokenIn(mail);

      expect(token).toMatch(/^[\w-]{43}$/);
      const link = `http://localhost:${new URL(cloud.mainApi.url).port}/console/verify#${token}`;
      expect(mail.text.split('\n')).toContain(link);
      expect(mail.html).toContain(`<a href="${link}">`);
      expect(mail.text + mail.html).not.toContain('Eve');
      const row = await eventually('it has left', async () => {
        const rows = await cloud.rows<any>('select * from mails where recipient = $1', [email]);
        return rows[0]?.status === 'delivered' ? rows[0] : null;
      });
      expect(row).toMatchObject({ html: null, body: '' });
      expect(cloud.mainApi.log()).not.toContain(token);
      expect(await people.mailsTo(email)).toHaveLength(1);
    });

    it('stores neither the password nor the token in plain text', async () => {
      const email = people.address();
      const token = await people.register(email);

      const [user] = await cloud.rows<any>('select * from users where email = $1', [email]);
      const tokens = await cloud.rows<any>('select * from email_tokens where user_id = $1', [user.id]);

      expect(user.password_hash).toMatch(/^scrypt\$N=1024,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
      expect(tokens).toHaveLength(1);
      expect(JSON.stringify(tokens)).not.toContain(token);
      expect(tokens[0].expires_at - tokens[0].created_at).toBeCloseTo(24 * 3600_000, -4);
    });

    it('returns the same for a registered address in any letter case, and only sends a mail', async () => {
      const email = people.address();
      await people.register(email);
      const users = async () => (await cloud.rows<any>('select count(*)::int as n from users'))[0].n;
      const tenants = async () => (await cloud.rows<any>('select count(*)::int as n from tenants'))[0].n;
      const before = [await users(), await tenants()];
      const again = email.toUpperCase();

      const answer = await people.signUp(again, { password: 'another long phrase' });

      expect([answer.status, answer.body]).toEqual([201, { email: again, mail_folder: join(cloud.directory, 'mail') }]);
      expect(await people.mail(email, 'You have an account already')).toBeDefined();
      expect([await users(), await tenants()]).toEqual(before);
      expect(await people.signIn(email, 'another long phrase')).toBeProblem('invalid_credentials');
      expect((await people.signIn(email)).status).toBe(200);
    });

    it('creates one account when many requests sign up with one address at the same time', async () => {
      const email = people.address();

      const answers = await Promise.all(Array.from({ length: 7 }, () => people.signUp(email)));

      expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(201));
      const [row] = await cloud.rows<any>(
        `select count(*)::int as users, (select count(*)::int from tenants where email = $1) as tenants
           from users where email = $1`,
        [email],
      );
      expect(row).toEqual({ users: 1, tenants: 1 });
    });

    it.each([
      ['short', 'nine char', 'is_length'],
      ['common', 'Password123', 'is_common'],
      ['the address', 'longer.name@gmail.com', 'is_email'],
      ['the local part', 'LONGER.name', 'is_email'],
      ['too long', 'x'.repeat(201), 'is_length'],
    ])('refuses a password that is %s', async (_, password, code) => {
      const answer = await people.signUp('longer.name@gmail.com', { password });

      expect(answer).toBeProblem('validation_failed');
      expect(answer.body.field_issues).toEqual([expect.objectContaining({ path: '/password', code })]);
    });

    it('refuses an invalid address and unknown members', async () => {
      expect(await people.signUp('nobody')).toBeProblem('validation_failed');
      expect(await people.signUp(people.address(), { verified: true })).toBeProblem('validation_failed');
    });
  });

  describe('at sign-in', () => {
    it('starts a session with a cookie that scripts and other sites cannot use', async () => {
      const email = people.address();
      await people.register(email);

      const answer = await people.signIn(email.toUpperCase());

      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body).sort()).toEqual(['csrf_token', 'email', 'expiry']);
      expect(answer.body.email).toBe(email);
      expect(answer.headers.get('set-cookie')).toMatch(
        /^ld_session=\d+\.[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
      );
      const hours = (Date.parse(answer.body.expiry) - Date.now()) / 3600_000;
      expect([hours > 11.9, hours <= 12]).toEqual([true, true]);
    });

    it('returns the same error for a wrong password and for an unknown address', async () => {
      const email = people.address();
      await people.register(email);

      const wrong = await people.signIn(email, 'not the password');
      const unknown = await people.signIn(people.address(), 'not the password');

      expect(wrong).toBeProblem('invalid_credentials', { status: 401 });
      expect({ ...unknown.body, instance: '' }).toEqual({ ...wrong.body, instance: '' });
      expect([...unknown.headers.keys()].sort()).toEqual([...wrong.headers.keys()].sort());
    });

    it('never reuses a cookie of the request, and ends the session of that cookie', async () => {
      const [planted, victim] = [await people.verified(), await people.verified()];
      const old = await people.browser(planted);

      const answer = await people.signIn(victim, PASSWORD, old.cookie);

      const fresh = browserOf(answer);
      expect(fresh.token).not.toBe(old.token);
      expect(await api().get('/account', old.cookie)).toBeProblem('unauthenticated');
      expect((await api().get('/account', fresh.cookie)).body.email).toBe(victim);
    });

    it('replaces a password hash of the first release, which still verifies', async () => {
      const { owner_email, owner_password } = cloud.installation;
      const old = 'scrypt$AAAAAAAAAAAAAAAAAAAAAA$';
      const { scryptSync } = await import('node:crypto');
      const key = scryptSync(owner_password ?? '', Buffer.alloc(16), 32).toString('base64url');
      await cloud.rows('update users set password_hash = $1 where email = $2', [`${old}${key}`, owner_email]);

      const [first, second] = await Promise.all([
        people.signIn(owner_email, owner_password ?? ''),
        people.signIn(owner_email, owner_password ?? ''),
      ]);

      expect([first?.status, second?.status]).toEqual([200, 200]);
      const [row] = await cloud.rows<any>('select password_hash from users where email = $1', [owner_email]);
      expect(row.password_hash).toMatch(/^scrypt\$N=1024,/);
      expect((await people.signIn(owner_email, owner_password ?? '')).status).toBe(200);
    });

    it('restricts the cookie to HTTPS if the public address uses HTTPS', async () => {
      const email = await people.verified();
      const other = await cloud.another({
        LANDLORD_PUBLIC_URL: 'https://cloud.example',
        SESSION_HOURS: '1',
      });
      try {
        const response = await fetch(`${other.url}/account/sign_in`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email, password: PASSWORD }),
        });

        const cookie = response.headers.get('set-cookie') ?? '';
        expect(cookie).toMatch(/^__Host-ld_session=\d+\.[\w-]{43}; Max-Age=3600; Path=\/; .*; Secure$/);
        const value = /=([^;]+)/.exec(cookie)?.[1];
        const read = async (headers: string) =>
          (await fetch(`${other.url}/account`, { headers: { cookie: headers } })).status;
        expect(await read(`__Host-ld_session=${value}`)).toBe(200);
        // A host below the same domain can set the name without the prefix. Such a cookie neither signs in nor
        // interferes.
        expect(await read(`ld_session=${value}`)).toBe(401);
        expect(await read(`ld_session=planted; __Host-ld_session=${value}`)).toBe(200);
      } finally {
        await other.close();
      }
    });
  });

  describe('of a user', () => {
    it('is read and renamed with its session only', async () => {
      const email = await people.verified();
      const { cookie, headers } = await people.browser(email);

      const renamed = await api().put('/account/settings', { name: 'Ann Other' }, headers);

      expect(renamed.status).toBe(204);
      const { body } = await api().get('/account', cookie);
      expect(body).toMatchObject({ email, name: 'Ann Other', verified: true, csrf_token: headers['x-csrf-token'] });
      expect(Object.keys(body).sort()).toEqual(
        ['created_at', 'csrf_token', 'email', 'id', 'name', 'tenants', 'verified'].sort(),
      );
      expect(await cloud.main().get('/account')).toBeProblem('api_key_not_allowed', { status: 403 });
      expect(await api().get('/account')).toBeProblem('unauthenticated');
    });

    it('changes nothing without the token of its own session', async () => {
      const email = await people.verified();
      const [one, two] = [await people.browser(email), await people.browser(email)];
      const rename = (headers: Record<string, string>) => api().put('/account/settings', { name: 'Eve' }, headers);

      expect(await rename(one.cookie)).toBeProblem('csrf_token_invalid', { status: 403 });
      expect(await rename({ ...one.cookie, 'x-csrf-token': 'wrong' })).toBeProblem('csrf_token_invalid');
      expect(await rename({ ...one.cookie, 'x-csrf-token': two.headers['x-csrf-token'] })).toBeProblem(
        'csrf_token_invalid',
      );
      expect((await api().get('/account', one.cookie)).body.name).toBe('Ann');
    });

    it('writes one log line with ids and without the address', async () => {
      const email = people.address('quiet.example');
      await people.verified(email);
      await people.browser(email);
      const id = await people.userId(email);

      await people.signIn(email, 'not the password');
      const lines = cloud.mainApi.log().split('\n');

      expect(lines.filter((line) => line.includes(`"userId":${id},`) && line.includes('signed in'))).toHaveLength(1);
      expect(
        lines.filter((line) => line.includes(`"userId":${id},`) && line.includes('address verified')),
      ).toHaveLength(1);
      expect(lines.filter((line) => line.includes(`"userId":${id},`) && line.includes('wrong e-mail'))).toHaveLength(1);
      expect(lines.filter((line) => line.includes(email))).toEqual([]);
    });
  });
});
