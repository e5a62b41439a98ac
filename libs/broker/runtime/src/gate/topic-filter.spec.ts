import { TopicFilter } from './topic-filter.js';

/** A PUBLISH packet. */
function aMessage(topic: string, payload: string, qos = 0): Buffer {
  const name = Buffer.from(topic);
  const id = qos > 0 ? [0, 7] : [];
  const body = Buffer.concat([Buffer.from([0, name.length]), name, Buffer.from(id), Buffer.from(payload)]);
  const length = body.length < 128 ? [body.length] : [(body.length % 128) | 0x80, Math.floor(body.length / 128)];
  return Buffer.concat([Buffer.from([0x30 | (qos << 1), ...length]), body]);
}

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

  it('passes bytes that are not MQTT', () => {
    const noise = Buffer.alloc(1_000, 0xff);

    expect(filtered(noise, 10)).toEqual(noise);
  });
});
