import fc from 'fast-check';
import { apiKeyId, hashApiKey, isSameHash, mintApiKey } from './api-key-format.js';
import { parseId } from '../ids.js';

describe('API keys', () => {
  it('contain their id', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
        const secret = mintApiKey(id);
        expect(secret).toMatch(/^ld_[a-z2-7]+_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
        expect(apiKeyId(secret)).toBe(id);
      }),
    );
  });

  it('are refused after any change of one character', () => {
    const secret = mintApiKey(42);
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: secret.length - 1 }),
        fc.constantFrom('a', 'Z', '9', '_'),
        (at, character) => {
          const changed = secret.slice(0, at) + character + secret.slice(at + 1);
          expect(changed === secret || apiKeyId(changed) === null).toBe(true);
        },
      ),
    );
  });

  it.each(['', 'ld_', 'ld__x_y', 'sk_live_1', `ld_a_${'0'.repeat(43)}_000000`])('are not recognized in %j', (text) => {
    expect(apiKeyId(text)).toBeNull();
  });

  it('never repeat, and are compared by their hash', () => {
    expect(mintApiKey(1)).not.toBe(mintApiKey(1));
    expect(isSameHash(hashApiKey('a'), hashApiKey('a'))).toBe(true);
    expect(isSameHash(hashApiKey('a'), hashApiKey('b'))).toBe(false);
    expect(isSameHash(hashApiKey('a'), Buffer.alloc(3))).toBe(false);
  });
});

describe('Ids in paths', () => {
  it('are positive safe integers in canonical form', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
        expect(parseId(String(id))).toBe(id);
      }),
    );
    for (const text of ['0', '-1', '01', '1.0', '1e3', ' 1', '', '9007199254740992', '99999999999999999'])
      expect(parseId(text)).toBeNull();
  });

  it('has an id from one to the largest safe integer', () => {
    expect([0, 1, Number.MAX_SAFE_INTEGER].map((id) => apiKeyId(mintApiKey(id)))).toEqual([
      null,
      1,
      Number.MAX_SAFE_INTEGER,
    ]);
  });
});
