import { eventually, given, type ApiAnswer } from '@libs/testing';
import { PASSWORD, People, tokenIn } from '../../test/people.fixture.js';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

const NEW = 'quite another phrase';

describe('A mailed link', () => {
  let cloud: TestMainApi;
  let people: People;

  beforeAll(async () => {
    cloud = await TestMainApi.open();
    people = new People(cloud);
  });
  afterAll(() => cloud.close());

  const api = () => cloud.main(null);
  const reset = (token: string, password = NEW): Promise<ApiAnswer> =>
    api().put('/account/password_reset', { token, password });
  const expire = () => cloud.rows('update email_tokens set expires_at = now()');

  /** Rows that a user without a verified address could create before this release. These rows still work. */
  async function leftBehind(userId: number) {
    const [row] = await cloud.rows<any>('select id::int as id from tenants where owner_id = $1', [userId]);
    const tenantId = row.id as number;
    const secret = await given.key(cloud, { tenantId, userId });
    await cloud.rows(`insert into notification_channels (tenant_id, channel, name) values ($1, 'webhook', 'mine')`, [
      tenantId,
    ]);
    await cloud.rows(
      `insert into invitations (tenant_id, email, status, inviter_id, expires_at)
       values ($1, 'eve@evil.example', 'pending', $2, now() + interval '7 days')`,
      [tenantId, userId],
    );
    await cloud.rows(`update tenants set email = 'eve@evil.example' where id = $1`, [tenantId]);
    return { tenantId, tenant: `/tenants/${tenantId}`, secret };
  }
  const rowsOf = async (tenantId: number) =>
    (
      await cloud.rows<any>(
        `select (select count(*)::int from api_keys where tenant_id = $1) as keys,
                (select count(*)::int from roles where tenant_id = $1 and kind = 'api_key') as roles,
                (select count(*)::int from notification_channels where tenant_id = $1) as channels,
                (select count(*)::int from invitations where tenant_id = $1) as invitations,
                (select email from tenants where id = $1) as address`,
        [tenantId],
      )
    )[0];
  const auditOf = async (tenantId: number): Promise<string[]> =>
    (
      await cloud.rows<{ type: string }>(
        `select type from audit_entries where tenant_id = $1 and type <> 'tenant_created' order by type`,
        [tenantId],
      )
    ).map(({ type }) => type);

  describe('that verifies an address', () => {
    it('verifies once when many requests follow it at the same time', async () => {
      const token = await people.register(people.address());

      const answers = await Promise.all(Array.from({ length: 6 }, () => people.verify(token)));

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect(answer).toBeProblem('email_token_invalid', { status: 400 });
    });

    it('returns the same error when it is wrong, used, expired, replaced or for another purpose', async () => {
      const email = people.address();
      const used = await people.register(email);
      await people.verify(used);
      const foreign = await people.resetToken(email);
      const other = people.address();
      const replaced = await people.register(other);
      const { headers } = await people.browser(other);
      await people.afterPause();
      expect((await api().post('/account/verification', {}, headers)).status).toBe(204);
      const answers = [
        await people.verify('x'.repeat(43)),
        await people.verify(''),
        await people.verify(used),
        await people.verify(replaced),
        await people.verify(foreign),
        await reset(used),
      ];
      await expire();
      answers.push(await reset(foreign));

      for (const answer of answers) expect(answer).toBeProblem('email_token_invalid', { status: 400 });
      expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1);
    });

    it('is sent again on request, at most once a minute, until the address is verified', async () => {
      const email = people.address();
      const first = await people.register(email);
      const { headers, cookie } = await people.browser(email);
      expect((await api().get('/account', cookie)).body.verified).toBe(false);
      const again = () => api().post('/account/verification', {}, headers);

      const early = await again();
      await people.afterPause();
      const both = await Promise.all([again(), again()]);

      expect(early).toBeProblem('verification_already_sent', { status: 429 });
      expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(50);
      expect(both.map(({ status }) => status).sort()).toEqual([204, 429]);
      const mails = await eventually('the second mail has come', async () => {
        const all = await people.mailsTo(email, 'Verify');
        return all.length > 1 ? all : null;
      });
      const second = mails.map(tokenIn).find((token) => token !== first) ?? '';
      expect(mails).toHaveLength(2);
      expect(await people.verify(first)).toBeProblem('email_token_invalid');
      expect((await people.verify(second)).status).toBe(200);
      expect(await again()).toBeProblem('email_already_verified', { status: 409 });
      expect((await api().get('/account', cookie)).body.verified).toBe(true);
    });

    it('is required for everything except the own account', async () => {
      const email = people.address();
      await people.register(email);
      const { headers, cookie } = await people.browser(email);
      const [tenant] = (await api().get('/account', cookie)).body.tenants;

      const answers = [
        await api().get('/tenants', cookie),
        await api().get(`/tenants/${tenant.id}`, cookie),
        await api().post('/tenants', { name: 'More' }, headers),
        await api().post(`/tenants/${tenant.id}/divisions`, { name: 'More' }, headers),
        await api().post(`/tenants/${tenant.id}/api_keys`, {}, headers),
        await api().put(`/tenants/${tenant.id}/billing/payments/method`, { provider: 'manual' }, headers),
      ];

      for (const answer of answers) expect(answer).toBeProblem('email_not_verified', { status: 403 });
      expect((await api().put('/account/settings', { name: 'Ann Other' }, headers)).status).toBe(204);
      const next = { password: PASSWORD, new_password: NEW };
      expect((await api().put('/account/password', next, headers)).status).toBe(204);
      expect((await api().get('/account/sessions', cookie)).body.items).toHaveLength(1);
      expect((await api().delete('/account/sign_out', headers)).status).toBe(204);
    });

    it('does nothing for a reader who did not sign up: no address is verified and no domain is claimed', async () => {
      const email = people.address('careful.example');
      const token = await people.register(email);

      const page = await fetch(`${cloud.mainApi.url}/pages/verify?token=${token}`);
      const missing = await api().post('/account/verify', { token });
      const wrong = await people.verify(token, 'not what was typed');

      expect(page.status).toBe(200);
      expect(missing).toBeProblem('validation_failed');
      expect(wrong).toBeProblem('invalid_credentials', { status: 401 });
      const [row] = await cloud.rows<any>(
        `select u.email_verified_at, t.email_domain from users u join tenants t on t.owner_id = u.id where u.email = $1`,
        [email],
      );
      expect(row).toEqual({ email_verified_at: null, email_domain: null });
      expect((await people.verify(token)).body).toMatchObject({ workspace: 'claimed' });
    });

    it('locks out a client that guesses the password, like sign-in does', async () => {
      const email = people.address();
      const token = await people.register(email);

      for (let n = 0; n < 5; n += 1)
        expect(await people.verify(token, `guess number ${n}`)).toBeProblem('invalid_credentials');

      expect(await people.verify(token)).toBeProblem('rate_limited');
      expect(await people.signIn(email)).toBeProblem('rate_limited');
    });
  });

  describe('for a new password', () => {
    it('can be requested without revealing if the address has an account', async () => {
      const email = await people.verified();
      const nobody = people.address();
      const ask = (address: string) => api().post('/account/password_reset', { email: address });

      const answers = [await ask(email.toUpperCase()), await ask(nobody)];

      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [204, null],
        [204, null],
      ]);
      expect(await people.mail(email, 'Choose a new password')).toBeDefined();
      expect(await people.mailsTo(nobody)).toEqual([]);
    });

    it('sets the password once, ends all sessions and verifies the address', async () => {
      const email = people.address();
      await people.register(email);
      const { cookie } = await people.browser(email);
      const token = await people.resetToken(email);

      const answer = await reset(token);

      expect(answer.status).toBe(204);
      expect(await api().get('/account', cookie)).toBeProblem('unauthenticated');
      expect(await people.signIn(email, PASSWORD)).toBeProblem('invalid_credentials');
      const fresh = await people.browser(email, NEW);
      expect((await api().get('/account', fresh.cookie)).body.verified).toBe(true);
      expect(await reset(token, 'and a third phrase')).toBeProblem('email_token_invalid');
      expect(await people.mail(email, 'Your password was changed')).toBeDefined();
    });

    it('deletes what another person left in an unverified account, and nothing of a verified account', async () => {
      const [squatted, verified] = [people.address('squatted.example'), await people.verified()];
      await people.register(squatted);
      const leftOfSquatted = await leftBehind(await people.userId(squatted));
      const leftOfVerified = await leftBehind(await people.userId(verified));

      for (const email of [squatted, verified]) expect((await reset(await people.resetToken(email))).status).toBe(204);

      expect(await cloud.main(leftOfSquatted.secret).get(leftOfSquatted.tenant)).toBeProblem('unauthenticated');
      expect(await rowsOf(leftOfSquatted.tenantId)).toEqual({
        keys: 0,
        roles: 0,
        channels: 0,
        invitations: 0,
        address: squatted,
      });
      expect(await auditOf(leftOfSquatted.tenantId)).toEqual([
        'api_key_deleted',
        'channel_deleted',
        'invitation_cancelled',
        'tenant_updated',
      ]);
      expect((await cloud.main(leftOfVerified.secret).get(leftOfVerified.tenant)).status).toBe(200);
      expect(await rowsOf(leftOfVerified.tenantId)).toMatchObject({
        keys: 1,
        channels: 1,
        invitations: 1,
        address: 'eve@evil.example',
      });
    });

    it('sets one password when two requests arrive at the same time', async () => {
      const email = await people.verified();
      const token = await people.resetToken(email);

      const answers = await Promise.all([reset(token, 'the first phrase'), reset(token, 'the second phrase')]);

      expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
      const winner = answers[0]?.status === 204 ? 'the first phrase' : 'the second phrase';
      expect((await people.signIn(email, winner)).status).toBe(200);
    });

    it('stays valid after a refused password, works for 30 minutes, and replaces the previous link', async () => {
      const email = await people.verified();
      const token = await people.resetToken(email);

      expect(await reset(token, email)).toBeProblem('validation_failed');
      await people.afterPause();
      const second = await people.resetToken(email);

      expect(await reset(token)).toBeProblem('email_token_invalid');
      const [row] = await cloud.rows<any>(
        `select extract(epoch from expires_at - created_at)::int as seconds from email_tokens
          where purpose = 'reset' and used_at is null order by id desc limit 1`,
      );
      expect(row.seconds).toBe(1800);
      expect((await reset(second)).status).toBe(204);
    });

    it('is mailed at most once a minute, regardless of the number of requests', async () => {
      const email = await people.verified();
      const token = await people.resetToken(email);

      for (let n = 0; n < 3; n += 1) await api().post('/account/password_reset', { email });
      await people.signUp(email);

      const [row] = await cloud.rows<any>('select count(*)::int as n from mails where recipient = $1', [email]);
      expect(row.n).toBe(2);
      expect((await reset(token)).status).toBe(204);
    });
  });
});
