import ipaddr from 'ipaddr.js';

/** A client with one IPv6 address can use all 2^64 addresses of its network. */
const NETWORK_PARTS = 4;

/**
 * Returns the network that counts as one caller: an IPv4 address, or the /64 of an IPv6 address in any notation. An
 * IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const parts = parsed.parts.map((part, index) => (index < NETWORK_PARTS ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/64`;
}
