import { isProven, proofHeader, Proofs, type Said } from './proofs.js';

const SAID: Said = { method: 'POST', path: '/stop', payload: '' };

describe('Proofs', () => {
  const proofs = new Proofs();
  const header = (said = SAID, token = proofs.token, purpose: 'control' | 'inlet' = 'control'): string =>
    proofHeader(token, purpose, proofs.answer('n').challenge, said);

  it('are accepted once', () => {
    const proof = header();
    expect(proofs.accepts(proof, 'control', SAID)).toBe(true);
    expect(proofs.accepts(proof, 'control', SAID)).toBe(false);
  });

  it.each([
    ['of another token', () => header(SAID, new Proofs().token)],
    ['for the inlet', () => header(SAID, proofs.token, 'inlet')],
    ['of another path', () => header({ ...SAID, path: '/ping' })],
    ['of another method', () => header({ ...SAID, method: 'GET' })],
    ['of another body', () => header({ ...SAID, payload: '{}' })],
    ['over a challenge that nobody made', () => proofHeader(proofs.token, 'control', '0'.repeat(32), SAID)],
    ['that are no proofs', () => `Bearer ${proofs.token}`],
  ])('%s are not', (_, make) => {
    expect(proofs.accepts(make(), 'control', SAID)).toBe(false);
  });

  it('over challenges that are too old are not: there are never many open', () => {
    const old = header();
    for (let more = 0; more < 64; more += 1) proofs.answer('n');
    expect(proofs.accepts(old, 'control', SAID)).toBe(false);
  });

  it('show the caller that the process knows the token, for this nonce and purpose', () => {
    const answer = proofs.answer('nonce');
    expect(isProven(proofs.token, 'control', 'nonce', answer)).toBe(true);
    expect(isProven(proofs.token, 'control', 'other', answer)).toBe(false);
    expect(isProven(new Proofs().token, 'control', 'nonce', answer)).toBe(false);
    const { challenge } = answer;
    for (const other of [null, {}, { challenge }, { ...answer, proofs: { inlet: answer.proofs.control } }])
      expect(isProven(proofs.token, 'control', 'nonce', other)).toBe(false);
  });
});
