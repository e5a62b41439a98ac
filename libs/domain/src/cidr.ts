import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether the address lies in one of the ranges. IPv4-mapped IPv6 addresses count as the IPv4 they carry. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const subject = ipaddr.process(address);
  return ranges.some((range) => isInRange(subject, range));
}

function isInRange(subject: Address, range: string): boolean {
  const [network, bits] = parseRange(range);
  return subject.kind() === network.kind() && subject.match(network, bits);
}

function parseRange(range: string): [Address, number] {
  if (range.includes('/')) return ipaddr.parseCIDR(range);
  const address = ipaddr.process(range);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The `index`-th /24 of 10.0.0.0/8: how deployments get a subnet that no other deployment of the cell has. */
export function deploymentSubnet(index: number): string {
  const slot = index % 65_536;
  return `10.${slot >> 8}.${slot & 255}.0/24`;
}
