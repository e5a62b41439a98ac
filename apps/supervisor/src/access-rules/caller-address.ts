import { isIPv4 } from 'node:net';
import { canonicalRange } from '@libs/domain';
import type { CallerAddressView } from './dto/caller-address.view.js';

/** An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function callerAddress(peer: string): CallerAddressView {
  const address = canonicalRange(peer) ?? peer;
  return { address, cidr: isIPv4(address) ? `${address}/32` : null };
}
