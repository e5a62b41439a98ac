import { eventually, given, TestCloud } from '@libs/testing';
import { PASSWORD, People } from '../../../apps/main-api/test/people.fixture.js';

const WRONG = 'not the password';

describe('Sessions', () => {
  let cloud: TestCloud;
  let people: People;

  beforeAll(async () => {
    cloud = await TestCloud.start();
    people = new People(cloud);
  });
  afterAll(() => cloud.stop());

  const api = () => cloud.main(null);
  const opens = async (cookie: { cookie: string }) => (await api().get('/account', cookie)).status === 200;

  describe('of a user', () => {
    it('are listed newest first, with the client that started each one', async () => {
      const email = await people.verified();
      const first = await people.browser(email);
      const { headers } = await people.signIn(email, PASSWORD, { 'user-agent': `A browser ${'x'.repeat(300)}` });

      const { body } = await api().get('/account/sessions?results=1', first.cookie);
      const next = await api().get('/account/sessions?results=1&page=2', first.cookie);

      expect(body).toMatchObject({ page: 1, total_results: 2, total_pages: 2 });
      const [newest] = body.items;
      expect(headers.get('set-cookie')).toContain(`ld_session=${newest.id}.`);
      expect(newest).toMatchObject({ current: false, address: expect.stringContaining('127.0.0.1') });
      expect(newest.user_agent).toHaveLength(200);
      expect(next.body.items[0]).toMatchObject({ current: true });
      expect(JSON.stringify([body, next.body])).not.toContain(first.token.split('.')[1]);
    });

    it('end one by one, immediately, and only their own user can end them', async () => {
      const [email, other] = [await people.verified(), await people.verified()];
      const [one, two, theirs] = [
        await people.browser(email),
        await people.browser(email),
        await people.browser(other),
      ];
      const id = one.token.split('.')[0];

      expect(await api().delete(`/account/sessions/${id}`, theirs.headers)).toBeProblem('session_not_found');
      expect(await api().delete('/account/sessions/x', two.headers)).toBeProblem('session_not_found');
      expect(await opens(one.cookie)).toBe(true);
      expect((await api().delete(`/account/sessions/${id}`, two.headers)).status).toBe(204);

      expect(await opens(one.cookie)).toBe(false);
      expect(await api().delete(`/account/sessions/${id}`, two.headers)).toBeProblem('session_not_found');
    });

    it('end all except the one that sends the request', async () => {
      const email = await people.verified();
      const [kept, ...others] = [await people.browser(email), await people.browser(email), await people.browser(email)];

      expect((await api().delete('/account/sessions', kept.headers)).status).toBe(204);

      expect(await Promise.all(others.map(({ cookie }) => opens(cookie)))).toEqual([false, false]);
      expect(await opens(kept.cookie)).toBe(true);
    });

    it('end by signing out, and the browser deletes the cookie', async () => {
      const email = await people.verified();
      const { headers, cookie } = await people.browser(email);

      const answer = await api().delete('/account/sign_out', headers);

      expect(answer.status).toBe(204);
      expect(answer.headers.get('set-cookie')).toMatch(/^ld_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(await opens(cookie)).toBe(false);
      expect(await api().delete('/account/sign_out', headers)).toBeProblem('unauthenticated');
    });

    it('expire, and their rows are deleted', async () => {
      const email = await people.verified();
      const { cookie, token } = await people.browser(email);
      const id = token.split('.')[0];

      await cloud.rows('update sessions set expires_at = now() where id = $1', [id]);

      expect(await opens(cookie)).toBe(false);
      await cloud.rows(`insert into sign_in_locks values ('old', 1, now() - interval '1 day', null)`);
      await cloud.rows(`update email_tokens set expires_at = now() - interval '2 hours'`);
      const other = await cloud.another('main-api');
      await other.start();
      await eventually('they are forgotten', async () => {
        const [row] = await cloud.rows<any>(
          `select (select count(*) from sessions where id = $1) + (select count(*) from email_tokens)
                + (select count(*) from sign_in_locks where subject = 'old') as n`,
          [id],
        );
        return Number(row.n) === 0;
      }).finally(() => other.stop());
    });

    it('end the event stream that was opened with them', async () => {
      const email = await people.verified();
      const [one, two] = [await people.browser(email), await people.browser(email)];
      const tenant = (await api().get('/account', one.cookie)).body.tenants[0].id;
      const [row] = await cloud.rows<{ id: string }>(
        `insert into operations (type, queue, tenant_id, changing, step, trace_id, wake_at)
         values ('provision_deployment', 'operations.nowhere', $1, false, 'creating', repeat('0', 32), 'infinity') returning id`,
        [tenant],
      );
      const url = `${cloud.mainApi.url}/tenants/${tenant}/operations/${row?.id}/events`;
      const stream = await fetch(url, { headers: one.cookie });
      expect(stream.status).toBe(200);
      const ended = stream.text().catch(() => '');

      await api().delete(`/account/sessions/${one.token.split('.')[0]}`, two.headers);
      await ended;

      expect((await fetch(url, { headers: one.cookie })).status).toBe(401);
    });
  });

  describe('after many failed sign-ins', () => {
    const retryAfter = (answer: { headers: Headers }) => Number(answer.headers.get('retry-after'));
    const passTime = (seconds: number) =>
      cloud.rows(
        `update sign_in_locks set since = since - make_interval(secs => $1),
                locked_until = locked_until - make_interval(secs => $1)`,
        [seconds],
      );
    beforeEach(() => cloud.rows('delete from sign_in_locks'));

    it('are refused for increasing times, also with the right password, and the same for an unknown address', async () => {
      const email = await people.verified();
      const history = async (address: string) => {
        const statuses = [];
        for (let n = 0; n < 5; n += 1) statuses.push((await people.signIn(address, WRONG)).status);
        const waits = [];
        for (let n = 0; n < 8; n += 1) {
          const locked = await people.signIn(address, PASSWORD);
          expect(locked).toBeProblem('rate_limited', { status: 429 });
          waits.push(Math.round(retryAfter(locked) / 60));
          await passTime(retryAfter(locked));
          statuses.push((await people.signIn(address, WRONG)).status);
        }
        return { statuses, waits };
      };

      const known = await history(email);
      const unknown = await history(people.address());

      expect(known.statuses).toEqual(Array(13).fill(401));
      expect(known.waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
      expect(unknown).toEqual(known);
    });

    it('count each one of 50 parallel guesses', async () => {
      const email = await people.verified();

      const answers = await Promise.all(Array.from({ length: 50 }, () => people.signIn(email, WRONG)));

      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
      // The other answers require a wait: the account is locked, or too many requests of its network already wait.
      expect(answers.filter(({ status }) => status === 429 || status === 503)).toHaveLength(45);
      const [lock] = await cloud.rows<any>('select * from sign_in_locks');
      expect(lock.failures).toBe(5);
      expect(lock.subject).toMatch(/^[\w-]{43}$/);
    });

    it('lock one network address for one e-mail only; the lock is deleted after a success or 15 minutes', async () => {
      const [email, other] = [await people.verified(), await people.verified()];
      const fail = async (times: number) => {
        for (let n = 0; n < times; n += 1) expect((await people.signIn(email, WRONG)).status).toBe(401);
      };

      await fail(4);
      expect((await people.signIn(email)).status).toBe(200);
      await fail(4);
      await passTime(901);
      await fail(5);

      expect(await people.signIn(email)).toBeProblem('rate_limited');
      expect((await people.signIn(other)).status).toBe(200);
    });

    it('count failed guesses at the change of a password, too', async () => {
      const email = await people.verified();
      const { headers } = await people.browser(email);
      const change = (password: string) =>
        api().put('/account/password', { password, new_password: 'quite another phrase' }, headers);

      for (let n = 0; n < 5; n += 1) expect(await change(WRONG)).toBeProblem('invalid_credentials');

      expect(await change(PASSWORD)).toBeProblem('rate_limited');
      expect(await people.signIn(email)).toBeProblem('rate_limited');
    });
  });

  describe('after a change of the password', () => {
    it('end, except the one that changed the password', async () => {
      const email = await people.verified();
      const [kept, ended] = [await people.browser(email), await people.browser(email)];
      const change = { password: PASSWORD, new_password: 'quite another phrase' };

      const answer = await api().put('/account/password', change, { ...kept.headers, 'idempotency-key': 'k' });
      const again = await api().put('/account/password', change, { ...kept.headers, 'idempotency-key': 'k' });

      expect([answer.status, again.status]).toEqual([204, 204]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect([await opens(kept.cookie), await opens(ended.cookie)]).toEqual([true, false]);
      expect(await people.signIn(email)).toBeProblem('invalid_credentials');
      expect((await people.signIn(email, 'quite another phrase')).status).toBe(200);
      expect(await people.mail(email, 'Your password was changed')).toBeDefined();
    });

    it('continue when the new password is too common and is refused', async () => {
      const email = await people.verified();
      const { headers } = await people.browser(email);

      const answer = await api().put('/account/password', { password: PASSWORD, new_password: 'qwertyuiop' }, headers);

      expect(answer).toBeProblem('validation_failed');
      expect(answer.body.field_issues[0]).toMatchObject({ path: '/new_password', code: 'is_common' });
      expect((await people.signIn(email)).status).toBe(200);
    });

    it('do not start with the old password, even if it was checked before the change', async () => {
      const email = await people.verified();
      const { headers } = await people.browser(email);
      const change = { password: PASSWORD, new_password: 'quite another phrase' };

      const [changed, ...signedIn] = await Promise.all([
        api().put('/account/password', change, headers),
        ...Array.from({ length: 6 }, () => people.signIn(email)),
      ]);

      expect(changed?.status).toBe(204);
      const before = await cloud.rows<any>(
        `select 1 from sessions s join users u on u.id = s.user_id
          where u.email = $1 and s.created_at > u.password_changed_at`,
        [email],
      );
      expect(before).toEqual([]);
      expect(signedIn.every(({ status }) => [200, 401, 429].includes(status))).toBe(true);
    });
  });

  it('are not opened by a cookie that no user has', async () => {
    const user = await given.user(cloud, { email: people.address() });
    const { cookie } = await given.session(cloud, user.id);

    expect(await opens(cookie)).toBe(true);
    expect(await opens({ cookie: `${cookie.cookie}x` })).toBe(false);
    expect(await opens({ cookie: `${cookie.cookie}; ${cookie.cookie}` })).toBe(false);
  });
});
