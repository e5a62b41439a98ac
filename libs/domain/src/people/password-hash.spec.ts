import { scryptSync } from 'node:crypto';
import { hashPassword, verifyPassword } from './password-hash.js';

const stored = (password: string, cost: { N: number; r: number; p: number }, named = true): string => {
  const salt = Buffer.alloc(16, 1);
  const key = scryptSync(password, salt, 32, { ...cost, maxmem: 2 ** 28 }).toString('base64url');
  const name = named ? `N=${cost.N},r=${cost.r},p=${cost.p}$` : '';
  return `scrypt$${name}${salt.toString('base64url')}$${key}`;
};
/** CPU milliseconds of all threads of this process, so other processes do not change the result. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const costs = [];
  for (let n = 0; n < 5; n += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return Math.min(...costs);
}

describe('The hash of a password', () => {
  it('verifies only its own password', async () => {
    const hash = await hashPassword('a long enough phrase');

    expect(hash).toMatch(/^scrypt\$N=32768,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword('a long enough phrase', hash)).toEqual({ isRight: true, isOutdated: false });
    expect(await verifyPassword('A long enough phrase', hash)).toEqual({ isRight: false, isOutdated: false });
  });

  it('differs each time', async () => {
    expect(await hashPassword('the same')).not.toBe(await hashPassword('the same'));
  });

  it('is the same for composed and decomposed characters', async () => {
    const hash = await hashPassword('M\u00fcller und S\u00f6hne');

    expect((await verifyPassword('Mu\u0308ller und So\u0308hne', hash)).isRight).toBe(true);
  });

  it.each([
    ['of the first release', stored('old', { N: 2 ** 14, r: 8, p: 1 }, false)],
    ['of another cost', stored('old', { N: 2 ** 13, r: 8, p: 2 })],
  ])('%s verifies, and is reported as outdated', async (_, hash) => {
    expect(await verifyPassword('old', hash)).toEqual({ isRight: true, isOutdated: true });
    expect(await verifyPassword('wrong', hash)).toEqual({ isRight: false, isOutdated: false });
  });

  it.each([null, 'none', '', 'scrypt$x$y'])('never verifies when the stored value is %j', async (nothing) => {
    expect(await verifyPassword('none', nothing)).toEqual({ isRight: false, isOutdated: false });
  });

  it('takes the same time without a stored hash, with an older cost and with the current cost', async () => {
    const today = await hashPassword('today');
    const old = stored('old', { N: 2 ** 12, r: 8, p: 1 });

    const [plain, nothing, outdated] = [
      await cost(() => verifyPassword('x', today)),
      await cost(() => verifyPassword('x', null)),
      await cost(() => verifyPassword('x', old)),
    ];

    // Detects a large difference only. The proof of user enumeration measures small differences.
    expect(nothing / plain).toBeGreaterThan(0.6);
    expect(nothing / plain).toBeLessThan(1.7);
    expect(outdated / plain).toBeGreaterThan(0.6);
    expect(outdated / plain).toBeLessThan(1.7);
  });
});
