import type { ServerStats } from './iggy-server.js';

const UNITS: Record<string, number> = {
  ...{ B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15 },
  ...{ KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50 },
};
const MICROSECONDS = 1e6;

/** The gauges of a broker from the statistics of its server. */
export function gaugesOf(stats: ServerStats): Record<string, number> {
  return {
    clients: stats.clients_count,
    streams: stats.streams_count,
    topics: stats.topics_count,
    partitions: stats.partitions_count,
    segments: stats.segments_count,
    consumer_groups: stats.consumer_groups_count,
    messages: stats.messages_count,
    stored_bytes: bytesOf(stats.messages_size_bytes),
    memory_bytes: bytesOf(stats.memory_usage),
    read_bytes: bytesOf(stats.read_bytes),
    written_bytes: bytesOf(stats.written_bytes),
    threads: stats.threads_count,
    uptime_seconds: Math.round(stats.run_time / MICROSECONDS),
  };
}

/** Bytes in a text such as "67.89 KB" or "106764 KiB". NaN for any other text. */
export function bytesOf(size: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ([A-Za-z]+)$/.exec(size) ?? [];
  return Math.round(Number(amount) * (UNITS[unit] ?? Number.NaN));
}
