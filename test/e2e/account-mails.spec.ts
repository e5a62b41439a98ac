import { eventually, TestCloud, type ApiAnswer } from '@libs/testing';
import { PASSWORD, People, tokenIn } from './people.fixture.js';

const NEW = 'quite another phrase';

describe('A mailed link', () => {
  let cloud: TestCloud;
  let people: People;

  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    people = new People(cloud);
  });
  afterAll(() => cloud.stop());

  const api = () => cloud.main(null);
  const reset = (token: string, password = NEW): Promise<ApiAnswer> =>
    api().put('/account/password_reset', { token, password });
  const expire = () => cloud.rows('update email_tokens set expires_at = now()');

  describe('that proves an address', () => {
    it('does so once, of many who follow it at once', async () => {
      const token = await people.register(people.address());

      const answers = await Promise.all(Array.from({ length: 6 }, () => people.verify(token)));

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 200))
        expect(answer).toBeProblem('email_token_invalid', { status: 400 });
    });

    it('is answered the same when it is wrong, used, expired, replaced or for something else', async () => {
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

    it('is sent again on demand, once a minute, until the address is proved', async () => {
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
        const all = await people.mailsTo(email, 'Prove');
        return all.length > 1 ? all : null;
      });
      const second = mails.map(tokenIn).find((token) => token !== first) ?? '';
      expect(mails).toHaveLength(2);
      expect(await people.verify(first)).toBeProblem('email_token_invalid');
      expect((await people.verify(second)).status).toBe(200);
      expect(await again()).toBeProblem('email_already_verified', { status: 409 });
      expect((await api().get('/account', cookie)).body.verified).toBe(true);
    });

    it('is not needed to begin: who has not proved it works in their own organization', async () => {
      const email = people.address();
      await people.register(email);

      const { headers, cookie } = await people.browser(email);
      const { body } = await api().get('/account', cookie);

      expect(
        (await api().post(`/tenants/${body.tenants[0].id}/divisions`, { name: 'More' }, headers)).body,
      ).toMatchObject({ code: 'plan_limit_reached' });
      expect((await api().put(`/tenants/${body.tenants[0].id}`, { name: 'Mine' }, headers)).status).toBe(204);
    });
  });

  describe('for a new password', () => {
    it('is asked for without learning who has an account', async () => {
      const email = await people.proved();
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

    it('sets it once, ends all sessions, and proves the address', async () => {
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

    it('sets one password of two that come at once', async () => {
      const email = await people.proved();
      const token = await people.resetToken(email);

      const answers = await Promise.all([reset(token, 'the first phrase'), reset(token, 'the second phrase')]);

      expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
      const winner = answers[0]?.status === 204 ? 'the first phrase' : 'the second phrase';
      expect((await people.signIn(email, winner)).status).toBe(200);
    });

    it('survives a password that is refused, works for half an hour, and is the last one', async () => {
      const email = await people.proved();
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

    it('goes to a mailbox once a minute, however often it is asked for', async () => {
      const email = await people.proved();
      const token = await people.resetToken(email);

      for (let n = 0; n < 3; n += 1) await api().post('/account/password_reset', { email });
      await people.signUp(email);

      const [row] = await cloud.rows<any>('select count(*)::int as n from mails where recipient = $1', [email]);
      expect(row.n).toBe(2);
      expect((await reset(token)).status).toBe(204);
    });
  });
});
