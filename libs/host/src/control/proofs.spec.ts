import { isProven, Proofs, proveRequest, type Said } from './proofs.js';

const SAID: Said = { method: 'POST', path: '/stop', payload: '' };
const NOW = Date.now();

describe('Proofs', () => {
  const proofs = new Proofs();
  const header = (said = SAID, token = proofs.token, purpose: 'control' | 'inlet' = 'control', at = NOW): string =>
    proveRequest(token, purpose, said, at).header;

  it('are accepted once', () => {
    const proof = header();
    expect(proofs.accept(proof, 'control', SAID, NOW)).toMatch(/^[0-9a-f]{32}$/);
    expect(proofs.accept(proof, 'control', SAID, NOW)).toBeNull();
  });

  it.each([
    ['of another token', () => header(SAID, new Proofs().token)],
    ['for the inlet', () => header(SAID, proofs.token, 'inlet')],
    ['of another path', () => header({ ...SAID, path: '/ping' })],
    ['of another method', () => header({ ...SAID, method: 'GET' })],
    ['of another body', () => header({ ...SAID, payload: '{}' })],
    ['that are too old', () => header(SAID, proofs.token, 'control', NOW - 10_001)],
    ['of a time that is too far away', () => header(SAID, proofs.token, 'control', NOW + 10_001)],
    ['with another time', () => header().replace(String(NOW), String(NOW + 1))],
    ['that are no proofs', () => `Bearer ${proofs.token}`],
  ])('%s are refused', (_, make) => {
    expect(proofs.accept(make(), 'control', SAID, NOW)).toBeNull();
  });

  it('are deleted after their validity, and still refused then', () => {
    const early = header(SAID, proofs.token, 'control', NOW + 10_000);
    expect(proofs.accept(early, 'control', SAID, NOW)).not.toBeNull();
    expect(proofs.accept(early, 'control', SAID, NOW + 20_000)).toBeNull();
    expect(
      proofs.accept(header(SAID, proofs.token, 'control', NOW + 50_000), 'control', SAID, NOW + 50_000),
    ).not.toBeNull();
    expect(proofs.accept(early, 'control', SAID, NOW + 50_000)).toBeNull();
  });

  it('authenticate the process and its answer to the caller', () => {
    const { nonce } = proveRequest(proofs.token, 'control', SAID);
    const answered = { status: 200, payload: '{}' };
    const proof = proofs.seal(nonce, answered);
    expect(isProven(proofs.token, nonce, proof, answered)).toBe(true);
    expect(isProven(proofs.token, nonce, proof, { ...answered, status: 202 })).toBe(false);
    expect(isProven(proofs.token, nonce, proof, { ...answered, payload: '{"a":1}' })).toBe(false);
    expect(isProven(proofs.token, proveRequest(proofs.token, 'control', SAID).nonce, proof, answered)).toBe(false);
    expect(isProven(new Proofs().token, nonce, proof, answered)).toBe(false);
    expect(isProven(proofs.token, nonce, undefined, answered)).toBe(false);
  });
});
