import { bytesOf, gaugesOf } from './iggy-gauges.js';

describe('the gauges of an iggy-server', () => {
  it('each come from their own number', () => {
    const gauges = gaugesOf({
      ...{ process_id: 1, start_time: 2, iggy_server_version: '0.8.0', run_time: 12_000_000, threads_count: 13 },
      ...{ streams_count: 3, topics_count: 4, partitions_count: 5, segments_count: 6, messages_count: 7 },
      ...{ clients_count: 8, consumer_groups_count: 9, messages_size_bytes: '1.50 KB', memory_usage: '2 MiB' },
      ...{ read_bytes: '10 B', written_bytes: '11 B' },
    });

    expect(gauges).toEqual({
      ...{ streams: 3, topics: 4, partitions: 5, segments: 6, messages: 7, clients: 8, consumer_groups: 9 },
      ...{ stored_bytes: 1_500, memory_bytes: 2_097_152, read_bytes: 10, written_bytes: 11 },
      ...{ threads: 13, uptime_seconds: 12 },
    });
  });

  it.each([
    ['0 B', 0],
    ['67.89 KB', 67_890],
    ['106764 KiB', 109_326_336],
    ['1.2 GB', 1_200_000_000],
    ['much', Number.NaN],
    ['1 XB', Number.NaN],
  ])('read the size %s', (text, bytes) => {
    expect(bytesOf(text)).toBe(bytes);
  });
});
