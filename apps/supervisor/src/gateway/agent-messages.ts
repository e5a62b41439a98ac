import {
  CONNECTOR_REPORT_STATUSES,
  LOG_LEVELS,
  LOG_LIMITS,
  LOG_RUNTIMES,
  ORDER_PARTS,
  RUNTIME_STATUSES,
} from '@libs/domain';
import { z } from 'zod';

/** What agents may send, bounded: a node in a customer's account is not ours to trust. */
const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** PostgreSQL keeps no NUL. */
const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[^\0]*$/);

export const registerSchema = z.object({
  node_id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  token: z.string().min(1).max(128),
  credential_hash: z.string().regex(/^[0-9a-f]{64}$/),
  agent_version: z.string().max(64),
  boot_id: z.string().max(64),
});

const storedPart = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size_bytes: count });

export const statusSchema = z.object({
  epoch: count,
  seq: count,
  boot_id: z.string().max(64),
  agent_version: z.string().max(64),
  observed: z.object({ timeline: count, generation: count, hash: z.string().max(64) }),
  runtimes: z
    .array(
      z.object({
        runtime: z.enum(['broker', 'connectors']),
        status: z.enum(RUNTIME_STATUSES),
        version: z.string().max(64),
        started_at: z.iso.datetime().nullable(),
        pid: count.nullable(),
        restarts: count,
        last_error: z.string().max(4000).nullable(),
      }),
    )
    .max(8),
  refused: z
    .object({ timeline: count, generation: count, hash: z.string().max(64), reason: z.string().max(1000) })
    .nullish(),
  connectors: z
    .array(
      z.object({
        instance_id: count,
        status: z.enum(CONNECTOR_REPORT_STATUSES),
        config_id: count,
        error: text(4000).nullable(),
        messages: count,
      }),
    )
    .max(1000)
    .optional(),
  stats: z.record(z.string().max(64), z.number()),
  gate: z.object({ mode: z.enum(['inline', 'process', 'nftables']), generation: count, clients: count }),
  orders: z
    .array(
      z.object({
        id: count,
        status: z.enum(['done', 'failed']),
        error: text(1000).nullable(),
        parts: z.partialRecord(z.enum(ORDER_PARTS), storedPart),
      }),
    )
    .max(32)
    .exactOptional(),
});

export const desiredQuerySchema = z.object({
  timeline: z.coerce.number().int().nonnegative().default(0),
  since: z.coerce.number().int().nonnegative().default(0),
  wait: z.coerce.number().int().min(0).max(25).default(0),
});

const cursor = text(LOG_LIMITS.cursorLength);

/** Which part of which order a stream is. */
export const objectQuerySchema = z.object({
  order: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  part: z.enum(ORDER_PARTS),
});

export const logsSchema = z.object({
  epoch: count,
  after: cursor.nullable(),
  cursor,
  lines: z
    .array(
      z.object({
        runtime: z.enum(LOG_RUNTIMES),
        level: z.enum(LOG_LEVELS),
        at: z.number().min(0).max(8.64e15),
        message: text(LOG_LIMITS.messageLength),
      }),
    )
    .max(LOG_LIMITS.lines),
});
