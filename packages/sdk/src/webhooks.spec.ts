import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookError } from './index.js';

const SECRET = `whsec_${Buffer.from('a secret of 32 bytes for a test!').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another secret for the same test').toString('base64')}`;
const BODY = '{"id":"m-1","type":"deployment_created", "subject":"\u00e9"}';
const NOW = Date.parse('2026-11-26T08:00:00Z');

/** The headers that the package of the scheme writes. */
const signed = (secret = SECRET, at = NOW, body = BODY): Record<string, string> => ({
  'webhook-id': 'm-1',
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(secret).sign('m-1', new Date(at), body),
});

describe('verifyWebhook', () => {
  it('returns the notification of a webhook with the signature of the secret', async () => {
    expect(await verifyWebhook(BODY, signed(), SECRET, { now: NOW })).toMatchObject({ id: 'm-1', subject: '\u00e9' });
    const bytes = new TextEncoder().encode(BODY);
    expect(await verifyWebhook(bytes, new Headers(signed()), SECRET, { now: NOW })).toMatchObject({ id: 'm-1' });
  });

  it('accepts both secrets during a rotation, in the headers and at the receiver', async () => {
    const both = {
      ...signed(),
      'webhook-signature': `v2,x ${signed(OTHER)['webhook-signature']} ${signed()['webhook-signature']}`,
    };

    await expect(verifyWebhook(BODY, both, SECRET, { now: NOW })).resolves.toMatchObject({ id: 'm-1' });
    await expect(verifyWebhook(BODY, signed(OTHER), [SECRET, OTHER], { now: NOW })).resolves.toMatchObject({
      id: 'm-1',
    });
  });

  it.each<[string, string, Record<string, string>, number, RegExp]>([
    ['a changed body', `${BODY} `, signed(), NOW, /No signature/],
    ['another id', BODY, { ...signed(), 'webhook-id': 'm-2' }, NOW, /No signature/],
    ['another time', BODY, { ...signed(), 'webhook-timestamp': String(NOW / 1000 + 1) }, NOW, /No signature/],
    ['another secret', BODY, signed(OTHER), NOW, /No signature/],
    ['a signature that is not base64', BODY, { ...signed(), 'webhook-signature': 'v1,%%%' }, NOW, /No signature/],
    ['an old timestamp', BODY, signed(), NOW + 301_000, /five minutes/],
    ['a timestamp of the future', BODY, signed(), NOW - 301_000, /five minutes/],
    ['a timestamp that is no number', BODY, { ...signed(), 'webhook-timestamp': 'now' }, NOW, /five minutes/],
    ['no signature', BODY, { 'webhook-id': 'm-1', 'webhook-timestamp': '1' }, NOW, /webhook-signature is missing/],
  ])('refuses %s', async (_what, body, headers, now, message) => {
    const verified = verifyWebhook(body, headers, SECRET, { now });

    await expect(verified).rejects.toBeInstanceOf(WebhookError);
    await expect(verified).rejects.toThrow(message);
  });
});
