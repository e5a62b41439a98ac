import { isIP } from 'node:net';
import { isStorableText, MACHINE_NODE_STATES, NODES_OF_A_MACHINE, PROCESSORS, STATUS_TEXTS } from '@libs/domain';
import { z } from 'zod';

/** Schemas of the messages of machines. A host that somebody joined is not trusted: a lie may harm only this host. */
const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const INTEGER = 2 ** 31 - 1;
/** Lists of the operator show these texts. */
const hostname = z.string().regex(/^[A-Za-z0-9][\w.-]{0,252}$/);
const address = z
  .string()
  .max(253)
  .refine((text) => isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text));
const text = z.string().max(STATUS_TEXTS.reason).refine(isStorableText);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.string().regex(/^[\w.+-]{1,64}$/);

/** Limits above every real host. A host that reports more gets no nodes for it. */
const MOST_CPUS = 1024;
const MOST_MEMORY_MIB = 16 * 1024 * 1024;
const MOST_DISK_GIB = 1024 * 1024;

const facts = z.object({
  hostname,
  processor: z.enum(PROCESSORS),
  cpus: z.number().int().min(1).max(MOST_CPUS),
  memory_mib: z.number().int().min(0).max(MOST_MEMORY_MIB),
  disk_gib: z.number().int().min(0).max(MOST_DISK_GIB),
  address,
});

const TOKEN = /^([1-9]\d{0,14})\.([\w-]{16,128})$/;

export const joinSchema = z.object({
  token: z.string().max(160).regex(TOKEN),
  credential_hash: sha256,
  agent_version: version,
  machine: facts,
});

const nodeSchema = z.object({
  node_id: count.min(1),
  incarnation: z.number().int().nonnegative().max(INTEGER),
  state: z.enum(MACHINE_NODE_STATES),
  reason: text.exactOptional(),
  agent_sha256: sha256.exactOptional(),
});

const programSchema = z.object({
  sha256: sha256.nullable(),
  refused: z.object({ sha256, attempt: z.number().int().nonnegative().max(INTEGER), reason: text }).nullable(),
});

export const machineStatusSchema = z.object({
  generation: count,
  agent_version: version,
  agent: programSchema,
  machine: facts,
  nodes: z
    .array(nodeSchema)
    .max(NODES_OF_A_MACHINE)
    .refine((nodes) => new Set(nodes.map(({ node_id }) => node_id)).size === nodes.length),
});

export const machineDesiredSchema = z.object({
  since: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).default(0),
  wait: z.coerce.number().int().min(0).max(25).default(0),
});

export const programsSchema = z.object({ processor: z.enum(PROCESSORS) });

/** The id and the secret in `<id>.<secret>`, or null. */
export function splitSecret(text: string): { id: number; secret: string } | null {
  const [, id, secret = ''] = TOKEN.exec(text) ?? [];
  return id === undefined ? null : { id: Number(id), secret };
}
