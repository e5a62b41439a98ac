import { WebhookError } from './errors.js';
import type { NotificationWebhookPayload } from './generated/main-types.js';

/** How far the clock of the receiver may be from that of the sender, as Standard Webhooks recommends. */
const TOLERANCE_MS = 5 * 60_000;

/** The headers of a request: of `fetch`, of `node:http`, or a plain object. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The notification in a webhook of a channel, whose signature is that of one of the secrets.
 *
 * @param body The body of the request as received: another spelling of the same JSON has another signature.
 * @param secrets The signing secret of the channel (`whsec_…`), or several during a rotation.
 * @throws WebhookError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { now = Date.now() }: { now?: number } = {},
): Promise<NotificationWebhookPayload> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headerOf(headers, name);
    if (value === null) throw new WebhookError(`The header ${name} is missing.`);
    return value;
  }) as [string, string, string];
  const age = Math.abs(now - Number(timestamp) * 1000);
  if (!(age <= TOLERANCE_MS)) throw new WebhookError('The timestamp is more than five minutes away from this clock.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  for (const secret of [secrets].flat())
    if (await isSignedBy(secret, signed, signatures))
      return JSON.parse(new TextDecoder().decode(bytes)) as NotificationWebhookPayload;
  throw new WebhookError('No signature is of a secret of the channel.');
}

/** `v1,<base64>`, several separated by spaces. WebCrypto compares in constant time. */
async function isSignedBy(secret: string, signed: Uint8Array<ArrayBuffer>, signatures: string): Promise<boolean> {
  const raw = decoded(secret.replace(/^whsec_/, ''));
  if (raw === null) throw new WebhookError('The secret is not base64.');
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const one of signatures.split(' ')) {
    const signature = one.startsWith('v1,') ? decoded(one.slice(3)) : null;
    if (signature !== null && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (typeof value === 'string' ? value : value?.[0]) ?? null;
}
