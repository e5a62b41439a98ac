import { MASK } from '@libs/broker-config';
import type { FieldIssue } from '@libs/domain';
import type { Channel } from '@libs/persistence/channels';

type Destination = Pick<Channel, 'channel' | 'destination'>;
type Settings = Channel['settings'];
type Headers = Record<string, unknown>;

/** Returns the target of a destination: scheme, host and port of a URL, or the domain of an e-mail address. */
export function originOf({ channel, destination }: Destination): string {
  if (channel === 'email') return destination.slice(destination.lastIndexOf('@') + 1).toLowerCase();
  if (!URL.canParse(destination)) return destination;
  const { protocol, host } = new URL(destination);
  return `${protocol}//${host}`;
}

/** Masks a destination for callers who may not change it: paths of hooks are secrets. */
export const maskedDestination = (channel: Destination): string =>
  channel.channel === 'email' ? `${MASK}@${originOf(channel)}` : `${originOf(channel)}/${MASK}`;

/** Masks settings for all callers: values of headers may be credentials. */
export function maskedSettings(settings: Settings): Settings {
  const headers = headersOf(settings);
  if (!headers) return settings;
  const masked = Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]));
  return { ...settings, webhook: { ...webhookOf(settings), headers: masked } };
}

/** Replaces masks of headers with their stored values. A mask without a stored value is an issue. */
export function withKeptHeaders(settings: Settings, previous: Settings): { settings: Settings; issues: FieldIssue[] } {
  const headers = headersOf(settings);
  if (!headers) return { settings, issues: [] };
  const stored = new Map(Object.entries(headersOf(previous) ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const issues: FieldIssue[] = [];
  const restored = Object.entries(headers).map(([name, value]) => {
    if (value !== MASK) return [name, value];
    if (!stored.has(name.toLowerCase())) issues.push(noSecretKept(name));
    return [name, stored.get(name.toLowerCase()) ?? value];
  });
  const webhook = { ...webhookOf(settings), headers: Object.fromEntries(restored) as Headers };
  return { settings: { ...settings, webhook }, issues };
}

/** Whether stored headers would still be sent: the request leaves them out, or contains their masks. */
export function keepsHeaders(settings: Settings | undefined, previous: Settings): boolean {
  if (Object.keys(headersOf(previous) ?? {}).length === 0) return false;
  return settings === undefined || Object.values(headersOf(settings) ?? {}).includes(MASK);
}

/** Whether the text is or contains the mask of a destination. */
export const isMasked = (destination: string): boolean => destination.includes(MASK);

const noSecretKept = (name: string): FieldIssue => ({
  path: `/settings/webhook/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  code: 'no_secret_kept',
  reason: 'is the mask of a value, but this header has no stored value: send the value itself',
});

const webhookOf = (settings: Settings): Record<string, unknown> =>
  Object(settings?.['webhook']) as Record<string, unknown>;

function headersOf(settings: Settings): Headers | null {
  const { headers } = webhookOf(settings);
  return typeof headers === 'object' && headers !== null && !Array.isArray(headers) ? (headers as Headers) : null;
}
