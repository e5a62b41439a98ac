import type { IncomingMessage } from 'node:http';
import { isInRanges } from '../cidr.js';

/** Addresses and ranges of proxies whose `x-forwarded-for` is believed. */
export type TrustedProxies = readonly string[];

/**
 * The address of the client of a request: the last one in `x-forwarded-for` that is no trusted proxy, where a trusted proxy sent the
 * request. Null for a request of a trusted proxy that names no client.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  proxies: TrustedProxies,
): string | null {
  const { remoteAddress = '' } = socket;
  if (proxies.length === 0 || !isInRanges(remoteAddress, proxies)) return remoteAddress;
  const hops = String(headers['x-forwarded-for'] ?? '').split(',');
  return hops.map((hop) => hop.trim()).findLast((hop) => hop !== '' && !isInRanges(hop, proxies)) ?? null;
}
