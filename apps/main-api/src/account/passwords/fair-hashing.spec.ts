import { PASSWORD_COST } from '@libs/domain';
import { TestMainApi } from '../../../test/test-main-api.fixture.js';

const PASSWORD = 'a long enough phrase';

describe('A crowd from one address', () => {
  let cloud: TestMainApi;
  afterEach(() => cloud.close());

  const start = async (limit: string): Promise<void> => {
    const environment = { TRUSTED_PROXIES: '127.0.0.1', PASSWORD_RATE_LIMIT: limit };
    cloud = await TestMainApi.open(environment, { passwordCost: PASSWORD_COST });
    expect(
      (await post('sign_up', '10.9.9.9', { email: 'ann@gmail.com', password: PASSWORD, name: 'Ann' })).status,
    ).toBe(201);
  };
  const post = async (path: string, from: string, body: object) => {
    const response = await fetch(`${cloud.mainApi.url}/account/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text || '{}') as { code?: string } };
  };
  const signIn = (email: string, from: string) => post('sign_in', from, { email, password: PASSWORD });
  const crowd = (size: number, from: (n: number) => string) =>
    Array.from({ length: size }, (_, n) => signIn(`nobody-${n}@crowd.example`, from(n)));

  it('does not stop other clients from signing in, although many of its own requests are refused', async () => {
    await start('off');

    // All addresses of one IPv6 network count as one client.
    const answers = crowd(120, (n) => `2001:db8::${n.toString(16)}`);
    // The first refusal shows that the queue of the crowd is full: two requests hash and five wait.
    expect(await Promise.any(answers.map(async (one) => busy(await one)))).toBe('service_busy');
    const victims = await Promise.all(
      ['10.0.0.1', '10.0.0.2', '2001:db8:0:1::1'].map((from) => signIn('ann@gmail.com', from)),
    );

    expect(victims.map(({ status }) => status)).toEqual([200, 200, 200]);
    const all = await Promise.all(answers);
    const refused = all.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(all.filter(({ status }) => status === 401)).toHaveLength(120 - refused.length);
  });

  it('has its own rate limit, lower than the limit of other requests', async () => {
    await start('3');

    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await signIn(`nobody-${n}@crowd.example`, '10.1.1.1'));

    expect(answers.map(({ status }) => status)).toEqual([...Array(3).fill(401), 429, 429]);
    expect(answers.at(-1)?.body.code).toBe('rate_limited');
    expect((await signIn('ann@gmail.com', '10.1.1.2')).status).toBe(200);
    // Requests without a hash are still served.
    expect((await post('password_reset', '10.1.1.1', { email: 'ann@gmail.com' })).status).toBe(204);
  });
});

/** Returns the code of a request that was refused; rejects for any other answer. */
async function busy({ status, body }: { status: number; body: { code?: string } }): Promise<string | undefined> {
  if (status !== 503) throw new TypeError(`answered ${status}`);
  return body.code;
}
