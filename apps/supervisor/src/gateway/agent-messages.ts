import {
  CONNECTOR_REPORT_STATUSES,
  isStorableText,
  LOG_LEVELS,
  LOG_LIMITS,
  LOG_RUNTIMES,
  ORDER_PARTS,
  PROCESSORS,
  REQUEST_LIMITS,
  RUNTIME_STATUSES,
  STATUS_TEXTS,
} from '@libs/domain';
import { z } from 'zod';

/** Schemas of the messages of agents, with limits: a node in a customer's account is not trusted. */
const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** Every text of the protocol, including keys. One text that the database refuses would fail the reports of other nodes. */
const text = (longest: number) => z.string().max(longest).refine(isStorableText);

const id = text(STATUS_TEXTS.id);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Maximum gauges of one report. A driver has about a dozen. */
const GAUGES = 64;
/** No real gauge is larger, and sums of such values do not overflow. */
const LARGEST_GAUGE = 1e15;
const gauge = z.number().min(-LARGEST_GAUGE).max(LARGEST_GAUGE);

export const registerSchema = z.object({
  node_id: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  token: text(128).min(1),
  credential_hash: hash,
  agent_version: id,
  boot_id: id,
});

const storedPart = z.object({ sha256: hash, size_bytes: count });
const documentRef = z.object({ timeline: count, generation: count, hash: id });

export const statusSchema = z.object({
  epoch: count,
  seq: count,
  boot_id: id,
  agent_version: id,
  observed: documentRef,
  runtimes: z
    .array(
      z.object({
        runtime: z.enum(['broker', 'connectors']),
        status: z.enum(RUNTIME_STATUSES),
        version: id,
        started_at: z.iso.datetime().max(64).nullable(),
        pid: count.nullable(),
        restarts: count,
        last_error: text(STATUS_TEXTS.error).nullable(),
      }),
    )
    .max(8),
  refused: documentRef.extend({ reason: text(STATUS_TEXTS.reason) }).nullish(),
  refused_logins: z
    .array(z.object({ address: text(STATUS_TEXTS.id), count, at: count }))
    .max(20)
    .exactOptional(),
  connectors: z
    .array(
      z.object({
        instance_id: count,
        status: z.enum(CONNECTOR_REPORT_STATUSES),
        config_id: count,
        error: text(STATUS_TEXTS.error).nullable(),
        messages: count,
        failed: count.exactOptional(),
        lag: count.exactOptional(),
        last_error: text(STATUS_TEXTS.lastError).nullable().exactOptional(),
        dead_letters: count.exactOptional(),
        dead_letters_dropped: count.exactOptional(),
      }),
    )
    .max(1000)
    .optional(),
  stats: z.record(id, gauge).refine((stats) => Object.keys(stats).length <= GAUGES),
  gate: z.object({ mode: z.enum(['inline', 'process', 'nftables']), generation: count, clients: count }),
  orders: z
    .array(
      z.object({
        id: count,
        status: z.enum(['done', 'failed']),
        error: text(STATUS_TEXTS.reason).nullable(),
        parts: z.partialRecord(z.enum(ORDER_PARTS), storedPart),
      }),
    )
    .max(32)
    .exactOptional(),
});

export const desiredQuerySchema = z.object({
  timeline: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).default(0),
  since: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).default(0),
  wait: z.coerce.number().int().min(0).max(25).default(0),
});

/** The artifact of an agent, and the processor that runs it. */
export const partsQuerySchema = z.object({ agent: hash, processor: z.enum(PROCESSORS) });

/** How long a node waits for requests. */
export const requestsQuerySchema = z.object({ wait: z.coerce.number().int().min(0).max(25).default(0) });

export const answerSchema = z.object({
  epoch: count,
  id: count,
  answer: text(REQUEST_LIMITS.answerLength).nullable(),
  error: text(STATUS_TEXTS.reason).nullable(),
});

const cursor = text(LOG_LIMITS.cursorLength);

/** The order and the part of a stream. */
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
