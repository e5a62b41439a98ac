import { jest } from '@jest/globals';
import { hashPassword } from '@libs/domain';
import { mannWhitney, medianOf, TestCloud, type ApiAnswer } from '@libs/testing';

jest.setTimeout(1_200_000);

const SAMPLES = 1000;
/** Two samples of one distribution differ by this much once in a thousand runs. */
const SIGNIFICANT = 0.001;
const PASSWORD = 'a long enough phrase';

/** One request about one address. */
type Ask = (email: string) => Promise<ApiAnswer>;

/** The response time must not reveal if an address has an account. */
describe('The time of an answer', () => {
  let cloud: TestCloud;

  beforeAll(async () => {
    cloud = await TestCloud.start();
    const hash = await hashPassword(PASSWORD);
    for (const kind of ['sign-in', 'reset', 'sign-up', 'control'])
      await cloud.rows(
        `insert into users (email, name, password_hash, email_verified_at)
         select $1 || '-' || n || '@known.example', 'Ann', $2, now() from generate_series(0, $3) as n`,
        [kind, hash, SAMPLES],
      );
  });
  afterAll(() => cloud.stop());

  const post = (path: string, body: object) => cloud.main(null).post(path, body);
  const signIn: Ask = (email) => post('/account/sign_in', { email, password: 'not the password' });
  const reset: Ask = (email) => post('/account/password_reset', { email });
  const signUp: Ask = (email) => post('/account/sign_up', { email, password: PASSWORD, name: 'Ann' });

  /**
   * Milliseconds of each answer. Known and unknown addresses alternate in random order, so both meet the same machine
   * load.
   */
  async function measure(kind: string, ask: Ask, status: number, atOnce: number) {
    const times = { known: [] as number[], unknown: [] as number[] };
    const questions = Array.from({ length: 2 * SAMPLES }, (_, index) => ({
      side: index % 2 === 0 ? ('known' as const) : ('unknown' as const),
      email: `${kind}-${index >> 1}@${index % 2 === 0 ? 'known' : 'unknown'}.example`,
      order: Math.random(),
    })).sort((a, b) => a.order - b.order);
    const worker = async (): Promise<void> => {
      for (let next = questions.pop(); next; next = questions.pop()) {
        const start = performance.now();
        const answer = await ask(next.email);
        times[next.side].push(performance.now() - start);
        expect(answer.status).toBe(status);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return times;
  }

  it.each([
    ['at sign-in', 'sign-in', signIn, 401, 2],
    ['of who asks for a new password', 'reset', reset, 204, 8],
    ['at sign-up', 'sign-up', signUp, 201, 6],
  ] as const)('%s is the same with and without an account', async (_, kind, ask, status, atOnce) => {
    const { known, unknown } = await measure(kind, ask, status, atOnce);

    const p = mannWhitney(known, unknown);
    console.log(
      `${kind}: median ${medianOf(known).toFixed(2)} ms known, ${medianOf(unknown).toFixed(2)} ms unknown, p = ${p.toFixed(4)}`,
    );
    expect([known.length, unknown.length]).toEqual([SAMPLES, SAMPLES]);
    expect(p).toBeGreaterThan(SIGNIFICANT);
    // A difference of 10 % in the same samples is significant: the machine was quiet enough to show a difference.
    const later = unknown.map((time) => time * 1.1);
    expect(mannWhitney(known, later)).toBeLessThan(SIGNIFICANT);
  });

  it('would reveal a missing hash for an address without an account', async () => {
    // A locked address is answered without a hash. An unknown address without a decoy hash would look the same.
    for (let n = 0; n < 5; n += 1) await signIn('locked@unknown.example');
    const ask: Ask = (email) => signIn(email.endsWith('@known.example') ? email : 'locked@unknown.example');
    const timed = async (email: string): Promise<number> => {
      const start = performance.now();
      await ask(email);
      return performance.now() - start;
    };
    const [hashed, unhashed] = [[] as number[], [] as number[]];

    for (let n = 0; n < 30; n += 1) {
      hashed.push(await timed(`control-${n}@known.example`));
      unhashed.push(await timed('locked@unknown.example'));
    }

    expect(mannWhitney(hashed, unhashed)).toBeLessThan(SIGNIFICANT);
    expect(medianOf(hashed)).toBeGreaterThan(5 * medianOf(unhashed));
  });
});
