import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from './webhook-message.js';

const [FIRST, SECOND] = ['first', 'other'].map((text) => `whsec_${Buffer.from(text.repeat(6)).toString('base64')}`);
const BODY = '{"id":"m1"}';

describe('The signature of a webhook', () => {
  const signed = (...secrets: string[]) => signatureHeaders('m1', BODY, secrets, Date.now());

  it('is valid for the secret, as Standard Webhooks verifies it', () => {
    expect(new Webhook(FIRST ?? '').verify(BODY, signed(FIRST ?? ''))).toEqual({ id: 'm1' });
    expect(signatureHeaders('m1', BODY, [], 1_999)).toEqual({
      'webhook-id': 'm1',
      'webhook-timestamp': '1',
      'webhook-signature': '',
    });
  });

  it('is valid for each of two secrets', () => {
    const headers = signed(FIRST ?? '', SECOND ?? '');

    for (const secret of [FIRST, SECOND]) expect(new Webhook(secret ?? '').verify(BODY, headers)).toEqual({ id: 'm1' });
  });

  it.each([
    ['another body', '{"id":"m2"}', {}],
    ['another id', BODY, { 'webhook-id': 'm2' }],
    ['another moment', BODY, { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 5) }],
  ])('is not valid for %s', (_, body, changes) => {
    expect(() => new Webhook(FIRST ?? '').verify(body, { ...signed(FIRST ?? ''), ...changes })).toThrow();
    expect(() => new Webhook(SECOND ?? '').verify(BODY, signed(FIRST ?? ''))).toThrow();
  });
});
