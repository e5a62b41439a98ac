import { TopicFilter } from './topic-filter.js';

/** A PUBLISH packet. */
function aMessage(topic: string, payload: string, qos = 0): Buffer {
  const name = Buffer.from(topic);
  const id = qos > 0 ? [0, 7] : [];
  const body = Buffer.concat([Buffer.from([0, name.length]), name, Buffer.from(id), Buffer.from(payload)]);
  return Buffer.concat([Buffer.from([0x30 | (qos << 1), ...lengthOf(body.length)]), body]);
}

/** The length of a packet: seven bits in each byte, the lowest first. */
const lengthOf = (bytes: number): number[] =>
  bytes < 128 ? [bytes] : [(bytes % 128) | 0x80, ...lengthOf(Math.floor(bytes / 128))];

function filtered(bytes: Buffer, chunkBytes: number): Buffer {
  const filter = new TopicFilter('$MQTT/');
  const passed: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    passed.push(...filter.pass(bytes.subarray(at, at + chunkBytes)));
  return Buffer.concat(passed);
}

describe('TopicFilter', () => {
  const pong = Buffer.from([0xd0, 0x00]);
  const kept = [
    aMessage('a', 'first'),
    pong,
    aMessage('$MQTT', 'no slash'),
    aMessage('$MQTT/msgs/a', 'waits for its acknowledgement', 1),
    aMessage('b/$MQTT/', 'elsewhere'),
    aMessage('c', 'x'.repeat(1_000)),
    aMessage('', ''),
    pong,
  ];
  const hidden = [aMessage('$MQTT/msgs/a', 'once more'), aMessage('$MQTT/', ''), aMessage('$MQTT/x', 'y'.repeat(500))];

  it.each([1, 2, 3, 5, 7, 64, 100_000])(
    'drops only hidden messages and passes all others, in chunks of %d bytes',
    (size) => {
      const mixed = kept.flatMap((packet, index) => [packet, hidden[index % hidden.length] ?? pong]);

      expect(filtered(Buffer.concat(mixed), size)).toEqual(Buffer.concat(kept));
    },
  );

  it('passes a chunk without hidden messages unchanged', () => {
    const chunk = Buffer.concat(kept);

    expect(new TopicFilter('$MQTT/').pass(chunk)).toEqual([chunk]);
  });

  it.each([
    ['one byte', 127],
    ['two bytes', 128],
    ['two bytes, the longest', 16_383],
    ['three bytes', 16_384],
    ['four bytes', 2_097_152],
  ])('reads a length in %s', (_, length) => {
    const packets = ['a', '$MQTT/', 'b'].map((topic) => aMessage(topic, 'x'.repeat(length - 2 - topic.length)));

    const passed = filtered(Buffer.concat([...packets, pong]), 1_000);

    expect(passed.equals(Buffer.concat([packets[0] ?? pong, packets[2] ?? pong, pong]))).toBe(true);
  });

  it('holds back a packet until its topic is known, and passes a packet without a topic', () => {
    const filter = new TopicFilter('$MQTT/');
    const message = aMessage('$MQTT', 'x');
    const passed = [...message].map((byte) => Buffer.concat(filter.pass(Buffer.from([byte]))).length);

    expect(passed.reduce((sum, bytes) => sum + bytes, 0)).toBe(message.length);
    expect(passed.slice(0, 3)).toEqual([0, 0, 0]);
    const short = Buffer.from([0x30, 0x01, 0x00]);
    expect(Buffer.concat(new TopicFilter('$MQTT/').pass(short))).toEqual(short);
    expect(Buffer.concat(new TopicFilter('$MQTT/').pass(aMessage('', '')))).toEqual(aMessage('', ''));
    const empty = Buffer.from([0x30, 0x00]);
    expect(Buffer.concat(new TopicFilter('$MQTT/').pass(empty))).toEqual(empty);
  });

  it('passes bytes that are not MQTT', () => {
    const noise = Buffer.alloc(1_000, 0xff);

    expect(filtered(noise, 10)).toEqual(noise);
  });
});
