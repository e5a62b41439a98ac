import { isIPv4 } from 'node:net';

export interface ProxyHeaderChanges {
  /** Address of the client, IPv4 or IPv6. */
  source: string;
  command?: number;
  family?: number;
  extensions?: [type: number, value: Uint8Array][];
  /** The length in the header. Absent: the true one. */
  length?: number;
}

/** A header of the PROXY protocol, version 2, to 198.51.100.1 port 443 or 2001:db8::2 port 443. */
export function aProxyHeader({ source, command = 0x21, extensions = [], ...more }: ProxyHeaderChanges): Buffer {
  const isFour = isIPv4(source);
  const rest = Buffer.concat([
    bytesOf(source),
    bytesOf(isFour ? '198.51.100.1' : '2001:db8::2'),
    Buffer.from([0xc3, 0x50, 0x01, 0xbb]),
    ...extensions.flatMap(([type, value]) => [Buffer.from([type, value.length >> 8, value.length & 255]), value]),
  ]);
  const head = Buffer.from('\r\n\r\n\0\r\nQUIT\n    ', 'latin1');
  head.writeUInt8(command, 12);
  head.writeUInt8(more.family ?? (isFour ? 0x11 : 0x21), 13);
  head.writeUInt16BE(more.length ?? rest.length, 14);
  return Buffer.concat([head, rest]);
}

/** The header of a proxy that opens a connection of its own, such as a health check. */
export const LOCAL_HEADER: Buffer = aProxyHeader({ source: '203.0.113.9', command: 0x20 });

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [before = '', after] = address.split('::');
  const [left, right] = [before, after ?? ''].map(groupsOf) as [Buffer, Buffer];
  return Buffer.concat([left, Buffer.alloc(16 - left.length - right.length), right]);
}

const groupsOf = (part: string): Buffer =>
  Buffer.concat(
    part
      .split(':')
      .filter(Boolean)
      .map((group) => (isIPv4(group) ? bytesOf(group) : Buffer.from(group.padStart(4, '0'), 'hex'))),
  );
