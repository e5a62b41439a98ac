import { randomBytes } from 'node:crypto';
import type { SecretLocation } from './sealed-columns.js';
import { Secrets, SecretUnreadable } from './secrets.js';

const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const location: SecretLocation = { table: 'configs', column: 'config_values', row: 7 };

describe('Secrets', () => {
  it('open their own ciphertexts, and never produce the same ciphertext twice', () => {
    const secrets = new Secrets(key('k1'));

    expect(secrets.open(location, secrets.seal(location, 'swordfish'))).toBe('swordfish');
    expect(secrets.seal(location, 'swordfish')).not.toBe(secrets.seal(location, 'swordfish'));
    expect(secrets.seal(location, 'swordfish')).not.toContain('swordfish');
  });

  it.each([
    ['another row', { ...location, row: 8 }],
    ['another column', { ...location, column: 'other' } as unknown as SecretLocation],
    ['another table', { ...location, table: 'nodes' } as unknown as SecretLocation],
  ])('do not open a ciphertext in %s', (_, elsewhere) => {
    const secrets = new Secrets(key('k1'));
    expect(() => secrets.open(elsewhere, secrets.seal(location, 'x'))).toThrow(SecretUnreadable);
  });

  it('decrypt with every key and encrypt with the first', () => {
    const [old, fresh] = [key('old'), key('new')];
    const sealed = new Secrets(old).seal(location, 'kept');
    const rotated = new Secrets(`${fresh},${old}`);

    expect(rotated.open(location, sealed)).toBe('kept');
    expect(rotated.seal(location, 'x')).toMatch(/^new\./);
    expect(() => new Secrets(fresh).open(location, sealed)).toThrow(SecretUnreadable);
  });

  it('refuse a damaged ciphertext', () => {
    const secrets = new Secrets(key('k1'));
    const sealed = secrets.seal(location, 'intact');
    const bytes = Buffer.from(sealed.slice(3), 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;

    expect(() => secrets.open(location, `k1.${bytes.toString('base64')}`)).toThrow(SecretUnreadable);
  });

  it.each(['', 'k1', 'k1:short', `k1:${randomBytes(16).toString('base64')}`])('refuse %j as keys', (text) => {
    expect(() => new Secrets(text)).toThrow(SecretUnreadable);
  });

  it('refuse a shortened tag, which would be easier to guess', () => {
    const secrets = new Secrets(`k1:${randomBytes(32).toString('base64')}`);
    const bytes = Buffer.from(secrets.seal(location, '').slice('k1.'.length), 'base64');
    for (const missing of [1, 3, 4, 8, 12]) {
      const cut = bytes.subarray(0, bytes.length - missing).toString('base64');
      expect(() => secrets.open(location, `k1.${cut}`)).toThrow(SecretUnreadable);
    }
  });

  it('verify their proofs for one purpose only, with every configured key', () => {
    const [old, fresh] = [key('k1'), key('k2')];
    const proof = new Secrets(old).prove('link', 'text');

    expect(new Secrets(`${fresh},${old}`).isProof('link', 'text', proof)).toBe(true);
    expect(new Secrets(fresh).isProof('link', 'text', proof)).toBe(false);
    expect(new Secrets(old).isProof('link', 'texts', proof)).toBe(false);
    expect(new Secrets(old).isProof('another', 'text', proof)).toBe(false);
    for (const forged of ['', 'k1', 'k1.', proof.slice(0, -3), `${proof}AA`, proof.replace('k1', 'k9')])
      expect(new Secrets(old).isProof('link', 'text', forged)).toBe(false);
  });
});
