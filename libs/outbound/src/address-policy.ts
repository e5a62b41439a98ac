import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** Never a destination, whatever is allowed: on them lie the credentials of the machine, or nobody in particular. */
const NEVER = ['linkLocal', 'unspecified', 'broadcast', 'multicast'];
/** Where clouds answer with the credentials of the machine, outside the link-local range. */
const METADATA = ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'];
/** All that is routed on the internet; ranges with a meaning of their own inside it are left out by their names. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Bits of NAT64 addresses (RFC 6052) behind which an IPv4 address stands. */
const NAT64_PREFIX_BYTES = 12;

/**
 * Whether a request may be sent to an address. Without `allowPrivate` only what is routed on the internet: IPv4 that is
 * mapped into IPv6, or stands behind the well-known NAT64 prefix, is judged as the IPv4 address that it is, and tunnels (6to4,
 * Teredo) are refused whatever they lead to. What cannot be read is refused.
 */
export function isAddressAllowed(text: string, allowPrivate: boolean): boolean {
  // Without the zone, which ipaddr.js would take.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = plain(ipaddr.process(text));
  if (NEVER.includes(address.range()) || METADATA.includes(address.toString())) return false;
  return allowPrivate || isGlobal(address);
}

function isGlobal(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
}

/** `process` has made IPv4 of mapped addresses already. */
function plain(address: Address): Address {
  if (address instanceof ipaddr.IPv4 || address.range() !== 'rfc6052') return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(NAT64_PREFIX_BYTES));
}
