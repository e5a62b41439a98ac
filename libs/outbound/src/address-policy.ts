import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** Never a destination: these ranges offer the credentials of the machine, or address no single host. */
const NEVER = ['linkLocal', 'unspecified', 'broadcast', 'multicast'];
/** Addresses outside the link-local range at which clouds offer the credentials of the machine. */
const METADATA = ['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'];
/** All addresses that are routed on the internet. Special ranges within it are excluded by name. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Bytes of the NAT64 prefix (RFC 6052) before the IPv4 address. */
const NAT64_PREFIX_BYTES = 12;

/**
 * Whether a request may be sent to an address. Without `allowPrivate` only to addresses that are routed on the internet. IPv4
 * addresses that are mapped into IPv6, or that follow the well-known NAT64 prefix, are checked as IPv4. Tunnels (6to4, Teredo)
 * are always refused. Unreadable addresses are refused.
 */
export function isAddressAllowed(text: string, allowPrivate: boolean): boolean {
  // Refuses zones, which ipaddr.js would accept.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = plain(ipaddr.process(text));
  if (NEVER.includes(address.range()) || METADATA.includes(address.toString())) return false;
  return allowPrivate || isGlobal(address);
}

function isGlobal(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6);
}

/** `process` has already converted mapped addresses to IPv4. */
function plain(address: Address): Address {
  if (address instanceof ipaddr.IPv4 || address.range() !== 'rfc6052') return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(NAT64_PREFIX_BYTES));
}
