import { previewOf } from './payload-preview.js';
import { RetainedCollector } from './retained-snapshot.js';

const MIB = 1024 * 1024;

/** Adds messages until one is refused. Returns the number of the accepted ones. */
function fill(collector: RetainedCollector, payload: Buffer, bytes = payload.length): number {
  let count = 0;
  while (count < 100_000 && collector.add({ topic: `t/${count}`, qos: 0, ...previewOf(payload, bytes) })) count += 1;
  return count;
}

describe('A reading of retained messages', () => {
  it.each([
    ['10,000 messages', Buffer.from('x'), 1, 10_000],
    ['8 MiB of their starts', Buffer.alloc(4096, 'x'), 4096, Math.floor((8 * MIB) / 4103)],
    ['64 MiB of their payloads', Buffer.from('x'), MIB, 64],
  ])('ends at %s, and states that more exist', (_limit, payload, bytes, most) => {
    const collector = new RetainedCollector();

    const count = fill(collector, payload, bytes);

    expect(Math.abs(count - most)).toBeLessThan(10);
    expect(collector.snapshot()).toMatchObject({ is_complete: false });
    expect(collector.snapshot().messages).toHaveLength(count);
  });

  it('is in the order of the topics', () => {
    const collector = new RetainedCollector();
    for (const topic of ['b', 'a/b', 'a']) collector.add({ topic, qos: 1, ...previewOf(Buffer.from('x')) });

    const { messages, is_complete: isComplete } = collector.snapshot();

    expect([messages.map(({ topic }) => topic), isComplete]).toEqual([['a', 'a/b', 'b'], true]);
  });
});
