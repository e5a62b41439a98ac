import ipaddr from 'ipaddr.js';
import { bitsOf, plainNetwork, type Address } from './canonical/range.js';

/** A listener on it has every IPv4 address of its machine. */
export const EVERY_ADDRESS = '0.0.0.0';

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

function isInRange(subject: Address, range: string): boolean {
  const [network, bits] = parseRange(range);
  return subject.kind() === network.kind() && subject.match(network, bits);
}

function parseRange(range: string): [Address, number] {
  if (range.includes('/')) return plainNetwork(...ipaddr.parseCIDR(range));
  const address = ipaddr.process(range);
  return [address, bitsOf(address)];
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
