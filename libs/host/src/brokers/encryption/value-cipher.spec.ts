import { randomBytes } from 'node:crypto';
import { ValueCipher } from './value-cipher.js';

const MESSAGE = randomBytes(20_000);
const KEY = randomBytes(32).toString('base64');
const OTHER_KEY = randomBytes(32).toString('base64');

describe('ValueCipher', () => {
  it('seals equal values differently, and opens them with the same key only', () => {
    const [cipher, same, other] = [new ValueCipher(KEY), new ValueCipher(KEY), new ValueCipher(OTHER_KEY)];
    const [first, second] = [cipher.seal(MESSAGE), cipher.seal(MESSAGE)];

    expect(first.equals(second)).toBe(false);
    expect(same.open(first).equals(MESSAGE)).toBe(true);
    expect(() => other.open(first)).toThrow('does not open');
    expect(cipher.keyId).not.toBe(other.keyId);
    expect(cipher.open(cipher.seal(Buffer.alloc(0)))).toHaveLength(0);
  });

  it('refuses a value with any changed or missing byte', () => {
    const cipher = new ValueCipher(KEY);
    const sealed = cipher.seal(Buffer.from('value'));
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => cipher.open(changed)).toThrow();
      expect(() => cipher.open(sealed.subarray(0, at))).toThrow();
    }
  });
});
