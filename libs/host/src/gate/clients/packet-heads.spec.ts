import { PacketHeads } from './packet-heads.js';

interface Seen {
  firstByte: number;
  head: string;
  bytes: number;
}

function reader(limit: number): { read: (chunk: Buffer) => void; seen: Seen[] } {
  const seen: Seen[] = [];
  const heads = new PacketHeads(limit, (firstByte, head, bytes) =>
    seen.push({ firstByte, head: head.toString(), bytes }),
  );
  return { read: (chunk) => heads.read(chunk), seen };
}

function packet(firstByte: number, body: string): Buffer {
  const length = Buffer.byteLength(body);
  const header = length < 128 ? [length] : [(length % 128) | 0x80, Math.floor(length / 128)];
  return Buffer.concat([Buffer.from([firstByte, ...header]), Buffer.from(body)]);
}

describe('The heads of packets', () => {
  const stream = Buffer.concat([packet(0x10, 'connect'), packet(0xc0, ''), packet(0x30, 'x'.repeat(300))]);
  const expected = [
    { firstByte: 0x10, head: 'connect', bytes: 7 },
    { firstByte: 0xc0, head: '', bytes: 0 },
    { firstByte: 0x30, head: 'x'.repeat(20), bytes: 300 },
  ];

  it.each([1, 2, 3, 7, 50, stream.length])('are equal when a stream arrives in pieces of %i bytes', (size) => {
    const { read, seen } = reader(20);

    for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size));

    expect(seen).toEqual(expected);
  });

  it('of a packet of 200 MB need no more memory than the limit', () => {
    const { read, seen } = reader(8);
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    read(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x64]));
    const before = process.memoryUsage().arrayBuffers;

    for (let count = 0; count < 200; count += 1) read(chunk);

    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024);
    expect(seen).toEqual([{ firstByte: 0x30, head: 'aaaaaaaa', bytes: 100 * 128 ** 3 }]);
  });

  it('end at a length with more than four bytes', () => {
    const { read, seen } = reader(20);

    read(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x00]));
    read(packet(0x10, 'later'));

    expect(seen).toEqual([]);
  });
});
