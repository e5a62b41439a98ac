import ipaddr from 'ipaddr.js';

/** A caller with one IPv6 address has all 2^64 addresses of its network. */
const NETWORK_PARTS = 4;

/**
 * What counts as one caller by address: an IPv4 address, or the /64 of an IPv6 address in any spelling. IPv6 that carries an
 * IPv4 address counts as that address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.map((part, index) => (index < NETWORK_PARTS ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/64`;
}
