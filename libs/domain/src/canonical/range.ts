import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address of IPv4 or IPv6. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range in canonical form, or the rule that the text violates, for people. */
export type ReadRange = { readonly range: string; readonly fault?: never } | { readonly fault: string; range?: never };

/** The rule that a text violates that is no range, for people. */
export const RANGE_FAULT = 'must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24';
/** The rule that a text violates that is no IPv4 network, for people. */
export const IPV4_NETWORK_FAULT = 'must be an IPv4 network such as 10.0.0.0/16';

/** The bits of `::ffff:0:0/96`, in which IPv6 holds the addresses of IPv4. */
const MAPPED_BITS = 96;
const LENGTH = /^(0|[1-9]\d{0,2})$/;

/** A well-formed text: its address, and the prefix length where the text has one. */
interface Written {
  readonly address: Address;
  readonly bits: number | null;
}

/**
 * Reads an address or a network in CIDR notation. IPv4 has four decimal parts, IPv6 follows RFC 5952, and an IPv4-mapped IPv6
 * range is its IPv4 range. Bits of hosts below the prefix are a fault: one slip, 0 for 32, would open a rule to everybody.
 */
export function readRange(text: string): ReadRange {
  const written = parse(text);
  return written === null ? { fault: RANGE_FAULT } : judge(written);
}

/** Like `readRange`, for IPv4 networks only. An address without a prefix length is not one. */
export function readIpv4Network(text: string): ReadRange {
  const written = parse(text);
  const isNetwork = written !== null && written.bits !== null && written.address.kind() === 'ipv4';
  return isNetwork ? judge(written) : { fault: IPV4_NETWORK_FAULT };
}

/** Returns the canonical form of an address or a network. Null where `readRange` finds a fault. */
export const canonicalRange = (text: string): string | null => readRange(text).range ?? null;

/** The network of a range: its address and the length of its prefix. An IPv4-mapped IPv6 network is its IPv4 network. */
export function plainNetwork(address: Address, bits: number): [Address, number] {
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS;
  return isMapped ? [address.toIPv4Address(), bits - MAPPED_BITS] : [address, bits];
}

/** All bits of an address of this kind. */
export const bitsOf = (address: Address): number => (address.kind() === 'ipv4' ? 32 : 128);

function parse(text: string): Written | null {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0 || !isAddress(address)) return null;
  const parsed = ipaddr.parse(address);
  if (length === undefined) return { address: ipaddr.process(address), bits: null };
  if (!LENGTH.test(length) || Number(length) > bitsOf(parsed)) return null;
  const [plain, bits] = plainNetwork(parsed, Number(length));
  return { address: plain, bits };
}

function judge({ address, bits }: Written): ReadRange {
  if (bits === null) return { range: address.toString() };
  const first = firstAddress(address, bits).toString();
  if (first === address.toString()) return { range: `${first}/${bits}` };
  const host = plainNetwork(address, bitsOf(address)).join('/');
  return { fault: `has bits of hosts: did you mean ${host} or ${first}/${bits}` };
}

function firstAddress(address: Address, bits: number): Address {
  const bytes = address.toByteArray();
  const network = bytes.map((byte, index) => byte & ~(0xff >> Math.min(8, Math.max(0, bits - index * 8))));
  return ipaddr.fromByteArray(network);
}

/** Accepts only the common notation: programs read `010.1`, `0x0a000001` and `fe80::1%eth0` differently. */
const isAddress = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'));
