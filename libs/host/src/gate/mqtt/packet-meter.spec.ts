import { PacketMeter } from './packet-meter.js';

/** A PUBLISH header for a body of this length, and the body. */
function aPacket(bodyBytes: number, fill = 0): Buffer {
  const header = [0x30];
  let rest = bodyBytes;
  do {
    header.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Buffer.concat([Buffer.from(header), Buffer.alloc(bodyBytes, fill)]);
}

/** Feeds the bytes in chunks of this size. Returns false as soon as a chunk is refused. */
function feed(meter: PacketMeter, bytes: Buffer, chunkBytes: number): boolean {
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    if (!meter.accepts(bytes.subarray(at, at + chunkBytes))) return false;
  }
  return true;
}

describe('PacketMeter', () => {
  it.each([1, 2, 3, 7, 1_000, 1_000_000])('follows packets in chunks of %d bytes', (chunkBytes) => {
    const packets = Buffer.concat([0, 1, 127, 128, 300, 997, 16_000].map(aPacket));

    expect(feed(new PacketMeter(16_003), packets, chunkBytes)).toBe(true);
  });

  it.each([1, 2, 3, 7, 1_000, 1_000_000])(
    'counts PUBLISH packets and no others, in chunks of %d bytes',
    (chunkBytes) => {
      const meter = new PacketMeter(20_000);
      // The bodies contain bytes that start a PUBLISH packet.
      const packets = [0, 1, 127, 128, 300, 16_384].map((length) => aPacket(length, 0x30));
      const others = [0x10, 0x20, 0x2f, 0x40, 0xc0].map((type) => Buffer.from([type, 0]));

      expect(feed(meter, Buffer.concat([...packets, ...others, Buffer.from([0x3d, 0])]), chunkBytes)).toBe(true);

      expect(meter.publishes).toBe(7);
    },
  );

  it('counts the header: accepts exactly the limit and refuses one byte more', () => {
    expect(new PacketMeter(1_000).accepts(aPacket(997))).toBe(true);
    expect(new PacketMeter(1_000).accepts(aPacket(998))).toBe(false);
  });

  it('refuses at the header, before the body arrives, also after other packets', () => {
    const large = aPacket(5_000).subarray(0, 3);

    expect(feed(new PacketMeter(1_000), Buffer.concat([aPacket(10), large]), 1)).toBe(false);
  });

  it('refuses a length of more than four bytes', () => {
    expect(new PacketMeter(268_435_455).accepts(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x01]))).toBe(false);
    expect(new PacketMeter(Infinity).accepts(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x01]))).toBe(false);
    expect(new PacketMeter(268_435_455).accepts(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x01]))).toBe(true);
  });
});
