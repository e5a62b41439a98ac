import { SocketAddress } from 'node:net';
import { ipv4Of } from '../access-rules.js';

/** The first bytes of each header of version 2. They are chosen so that no other protocol begins with them. */
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** Signature, version and command, family and transport, length of the rest. */
const FIXED_BYTES = 16;
/** Largest rest that the gate reads: addresses and extensions. Google sends 23 bytes for IPv4 and 47 for IPv6. */
const REST_LIMIT_BYTES = 520;
/** Largest header, in bytes. */
export const PROXY_HEADER_LIMIT_BYTES = FIXED_BYTES + REST_LIMIT_BYTES;

const VERSION_2_LOCAL = 0x20;
const VERSION_2_PROXY = 0x21;
const TCP_OVER_IPV4 = 0x11;
const TCP_OVER_IPV6 = 0x21;
/** Length of one address, by the byte of the family. Source, destination and their ports of 2 bytes follow each other. */
const ADDRESS_BYTES: Record<number, number> = { [TCP_OVER_IPV4]: 4, [TCP_OVER_IPV6]: 16 };
/** Type and length of an extension. */
const EXTENSION_HEAD_BYTES = 3;

/**
 * What the first bytes of a connection are.
 * - `incomplete`: the beginning of a header. More bytes are needed.
 * - `invalid`: they cannot become a header that the gate accepts.
 * - `complete`: a header of `bytes` bytes. `source` is the address of the client in its canonical form, and IPv4 also where the header
 *   maps it into IPv6. Null for the command LOCAL: the proxy itself opened the connection.
 */
export type ProxyHeader =
  { is: 'incomplete' } | { is: 'invalid' } | { is: 'complete'; bytes: number; source: string | null };

const INCOMPLETE: ProxyHeader = { is: 'incomplete' };
const INVALID: ProxyHeader = { is: 'invalid' };

/**
 * Reads the header of the PROXY protocol, version 2, at the start of `bytes`, which may end anywhere and may contain more than the header.
 * Accepts TCP over IPv4 and IPv6 in at most PROXY_HEADER_LIMIT_BYTES. Never throws. The time is linear in the length of the header.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsWithSignature(bytes) === false) return INVALID;
  if (bytes.length < FIXED_BYTES) return INCOMPLETE;
  const command = bytes.readUInt8(12);
  const rest = bytes.readUInt16BE(14);
  if (rest > REST_LIMIT_BYTES) return INVALID;
  if (command !== VERSION_2_LOCAL && command !== VERSION_2_PROXY) return INVALID;
  const addressBytes = ADDRESS_BYTES[bytes.readUInt8(13)];
  if (command === VERSION_2_PROXY && (addressBytes === undefined || rest < addressesBytes(addressBytes)))
    return INVALID;
  if (bytes.length < FIXED_BYTES + rest) return INCOMPLETE;
  // The specification asks receivers to skip the rest of a LOCAL header, whatever it contains.
  if (command === VERSION_2_LOCAL || addressBytes === undefined)
    return { is: 'complete', bytes: FIXED_BYTES + rest, source: null };
  return withSource(bytes.subarray(FIXED_BYTES, FIXED_BYTES + rest), addressBytes);
}

/** Whether a connection begins with the signature of a header. Null: more bytes are needed. */
export function startsWithSignature(bytes: Buffer): boolean | null {
  const length = Math.min(bytes.length, SIGNATURE.length);
  if (SIGNATURE.compare(bytes, 0, length, 0, length) !== 0) return false;
  return length === SIGNATURE.length ? true : null;
}

/** Source and destination, and their ports. */
const addressesBytes = (addressBytes: number): number => 2 * (addressBytes + 2);

function withSource(rest: Buffer, addressBytes: number): ProxyHeader {
  if (!areExtensions(rest.subarray(addressesBytes(addressBytes)))) return INVALID;
  const source = textOf(rest.subarray(0, addressBytes));
  return { is: 'complete', bytes: FIXED_BYTES + rest.length, source };
}

/** Whether the lengths of the extensions add up. Their values do not matter to the gate. */
function areExtensions(bytes: Buffer): boolean {
  let at = 0;
  while (at + EXTENSION_HEAD_BYTES <= bytes.length) at += EXTENSION_HEAD_BYTES + bytes.readUInt16BE(at + 1);
  return at === bytes.length;
}

function textOf(address: Buffer): string {
  if (address.length === ADDRESS_BYTES[TCP_OVER_IPV4]) return address.join('.');
  const groups = Array.from({ length: 8 }, (_, group) => address.readUInt16BE(2 * group).toString(16));
  const text = new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
  return ipv4Of(text) ?? text;
}
