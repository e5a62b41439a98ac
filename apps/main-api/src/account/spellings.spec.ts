import { given } from '@libs/testing';
import { People } from '../../test/people.fixture.js';
import { TestMainApi } from '../../test/test-main-api.fixture.js';

/** Spellings of two mailboxes; the first one is typed at the sign-up. */
const MAILBOXES: [string, ...string[]][] = [
  ['Jason@Example.com', 'jason@example.com', 'JASON@EXAMPLE.COM', 'jason@Example.COM'],
  ['me@münchen.de', 'ME@MÜNCHEN.DE', 'me@xn--mnchen-3ya.de', 'Me@XN--MNCHEN-3YA.de', 'me@mu\u0308nchen.de'],
];

describe('The spellings of a mailbox', () => {
  let cloud: TestMainApi;
  let people: People;
  beforeAll(async () => {
    cloud = await TestMainApi.open();
    people = new People(cloud);
  });
  afterAll(() => cloud.close());
  const signedUp = async (email: string): Promise<void> => {
    expect((await people.signUp(email)).status).toBe(201);
    await cloud.rows('update users set email_verified_at = now() where email = $1', [email]);
  };

  it.each(MAILBOXES)('are one account, shown as typed: %s', async (typed, ...others) => {
    await signedUp(typed);

    for (const spelling of others) {
      await people.signUp(spelling);
      expect([spelling, (await people.signIn(spelling)).status]).toEqual([spelling, 200]);
    }
    const users = await cloud.rows<{ email: string }>(
      'select email from users where email_canonical = (select email_canonical from users where email = $1)',
      [typed],
    );
    expect(users).toEqual([{ email: typed }]);
  });

  it('are one address for invitations, whichever is invited and whichever has the account', async () => {
    const invitations = `${cloud.tenant}/invitations`;
    const first = await cloud.main().post(invitations, { email: 'zoe@exämple.com' });
    const again = await cloud.main().post(invitations, { email: 'Zoe@xn--exmple-cua.com' });
    const zoe = await given.person(cloud, { email: 'zoe@XN--EXMPLE-CUA.com' });

    expect([first.status, again.status]).toEqual([201, 409]);
    const offered = await zoe.get('/account/invitations');
    expect(offered.body.items.map(({ id }: { id: number }) => id)).toEqual([first.body.id]);
    expect((await zoe.put(`/account/invitations/${first.body.id}/accept`)).status).toBeLessThan(300);
    expect((await cloud.main().post(invitations, { email: 'ZOE@exämple.com' })).status).toBe(409);
  });

  it('count together as wrong passwords', async () => {
    await signedUp('locked@bücher.example');
    const spellings = ['locked@bücher.example', 'locked@xn--bcher-kva.example'];
    let status = 401;
    for (let attempt = 0; attempt < 30 && status === 401; attempt += 1)
      ({ status } = await people.signIn(spellings[attempt % 2] ?? '', 'wrong'));

    expect(status).toBe(429);
    const locks = await cloud.rows('select 1 from sign_in_locks');
    expect(locks).toHaveLength(1);
  });
});
