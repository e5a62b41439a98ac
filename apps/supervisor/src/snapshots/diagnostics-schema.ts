import { DIAGNOSTICS_LIMITS, LOG_LEVELS, LOG_LIMITS, LOG_RUNTIMES, type NodeDiagnostics } from '@libs/domain';
import { z } from 'zod';

const text = z.string().max(100_000);
const count = z.number().finite();
const generation = z.object({ timeline: count, generation: count, hash: text });
const address = z.object({ name: text, address: text, port: count, answers: z.boolean() });

const processFacts = z.object({
  pid: count,
  started_at: text.nullable(),
  rss_bytes: count.nullable(),
  cpu_seconds: count.nullable(),
  threads: count.nullable(),
  open_files: count.nullable(),
  open_files_limit: count.nullable(),
});

const machine = z.object({
  cpus: count,
  load: z.array(count).length(3),
  memory_total_bytes: count,
  memory_free_bytes: count,
  disk_total_bytes: count.nullable(),
  disk_free_bytes: count.nullable(),
  uptime_seconds: count,
  clock_offset_ms: count,
});

const versions = z.object({
  ...{ agent: text, node_js: text, os: text, kernel: text, arch: text },
  ...{ broker_driver: text, broker_wanted: text, broker: text },
});

const runtimeReport = z.object({
  runtime: z.enum(['broker', 'connectors']),
  status: z.enum(['starting', 'running', 'stopped', 'failed']),
  version: text,
  started_at: text.nullable(),
  pid: count.nullable(),
  restarts: count,
  last_error: text.nullable(),
});

const rule = z.object({
  id: count,
  cidrs: z.array(text).max(1_000),
  protocols: z.array(z.enum(['tcp', 'http', 'websocket', 'udp'])),
  valid_to: text.nullable(),
});

const log = z.object({
  runtime: z.enum(LOG_RUNTIMES),
  is_cut: z.boolean(),
  lines: z
    .array(
      z.object({
        // The range of dates that a browser can show.
        at: z.number().min(0).max(8.64e15).nullable(),
        level: z.enum(LOG_LEVELS),
        message: z.string().max(LOG_LIMITS.messageLength),
      }),
    )
    .max(DIAGNOSTICS_LIMITS.linesPerRuntime * 3),
});

/** A node may be in a customer's account, so every part of its diagnostics is validated. */
export const diagnosticsSchema: z.ZodType<NodeDiagnostics> = z.object({
  format: z.literal(1),
  node_id: count,
  taken_at: text,
  is_redacted: z.boolean(),
  versions,
  machine,
  processes: z.record(z.string(), processFacts),
  runtimes: z.array(runtimeReport).max(10),
  config: z.object({ id: count, version: count, values: z.record(z.string(), z.unknown()) }),
  limits: z.object({ memory_mib: count, storage_mib: count }).nullable(),
  environment: z.record(z.string(), text),
  gate: z.object({
    mode: z.enum(['inline', 'process', 'nftables']),
    generation: count,
    rules: z.array(rule).max(10_000),
  }),
  cluster: z.object({ size: count, ordinal: count, leader: address.nullable(), peers: z.array(address).max(1_000) }),
  ports: z.array(address).max(100),
  data: z.object({
    bytes: count,
    files: count,
    directories: count,
    entries: z.array(z.object({ path: text, bytes: count })).max(DIAGNOSTICS_LIMITS.dataEntries),
  }),
  document: z.object({
    wanted: generation,
    observed: generation,
    want: z.enum(['running', 'stopped']),
    credentials_version: count,
  }),
  gauges: z.record(z.string(), count),
  logs: z.array(log).max(10),
  failures: z.array(z.object({ what: text, why: text })).max(100),
});
