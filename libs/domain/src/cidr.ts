import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether the address is in one of the ranges. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const subject = ipaddr.process(address);
  return ranges.some((range) => isInRange(subject, range));
}

/** Whether one of the ranges contains this range completely. Two ranges that contain it only together do not count. */
export function isRangeWithin(range: string, ranges: readonly string[]): boolean {
  const [network, bits] = parseRange(range);
  return ranges.some((outer) => isInRange(network, outer) && parseRange(outer)[1] <= bits);
}

/**
 * Returns the canonical form of an address or CIDR of an allowlist, or null for an invalid text. IPv4 has four decimal
 * parts, IPv6 follows RFC 5952, and the bits of the host are cleared.
 */
export function canonicalRange(text: string): string | null {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || !isAddress(address)) return null;
  if (bits === undefined) return ipaddr.process(address).toString();
  if (!/^(0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > maximumBits(address)) return null;
  const network = ipaddr.parse(address).kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${network.networkAddressFromCIDR(text).toString()}/${bits}`;
}

/** Accepts only the common notation of IPv4: programs read `010.1` and `0x0a000001` differently. */
const isAddress = (text: string): boolean =>
  text.includes(':') ? ipaddr.IPv6.isValid(text) && !text.includes('%') : ipaddr.IPv4.isValidFourPartDecimal(text);

const maximumBits = (address: string): number => (address.includes(':') ? 128 : 32);

function isInRange(subject: Address, range: string): boolean {
  const [network, bits] = parseRange(range);
  return subject.kind() === network.kind() && subject.match(network, bits);
}

function parseRange(range: string): [Address, number] {
  if (range.includes('/')) return ipaddr.parseCIDR(range);
  const address = ipaddr.process(range);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Whether two IPv4 networks have an address in common. */
export function overlap(one: string, other: string): boolean {
  const [[a, bitsOfA], [b, bitsOfB]] = [ipaddr.IPv4.parseCIDR(one), ipaddr.IPv4.parseCIDR(other)];
  return a.match(b, Math.min(bitsOfA, bitsOfB));
}

/** Returns the `index`-th /24 of 10.0.0.0/8. Gives each deployment of a cell a different subnet. */
export function deploymentSubnet(index: number): string {
  const slot = index % 65_536;
  return `10.${slot >> 8}.${slot & 255}.0/24`;
}

/**
 * Returns the subnet of the `index`-th deployment in the network: a /24, or the whole network if it is smaller. Subnets
 * repeat when the network has no more.
 */
export function subnetWithin(network: string, index: number): string {
  const [base, bits] = ipaddr.IPv4.parseCIDR(network);
  if (bits >= 24) return network;
  const slot = index % 2 ** (24 - bits);
  const [a = 0, b = 0, c = 0] = base.octets;
  const third = (a << 16) + (b << 8) + c + slot;
  return `${(third >> 16) & 255}.${(third >> 8) & 255}.${third & 255}.0/24`;
}

/** Cuts the network into at least `count` equal ranges, and returns the first of them in order. */
export function slicesOf(network: string, count: number): string[] {
  const [base, bits] = ipaddr.IPv4.parseCIDR(network);
  const sliceBits = bits + Math.ceil(Math.log2(Math.max(1, count)));
  const start = base.octets.reduce((value, octet) => value * 256 + octet, 0);
  const addresses = Array.from({ length: count }, (_, index) => start + index * 2 ** (32 - sliceBits));
  const octets = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
  return addresses.map((address) => `${octets(address)}/${sliceBits}`);
}
