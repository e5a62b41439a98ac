import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DISCARDED_BYTES } from '@libs/domain/admission';
import type { z } from 'zod';
import { invalid, tooLarge } from './refused.js';

/** Maximum members and entries of one message in total. A full status has about 7,000, a full batch of lines 2,500. */
const MOST_PARTS = 10_000;
/** Maximum nesting. A status has four levels. */
const DEEPEST = 8;

/** Limits of a message. */
export interface MessageLimits {
  /** Bytes of the body on the wire. */
  bytes: number;
  /** For a gzip body: maximum bytes after decompression. Absent for a body without compression. */
  unpackedBytes?: number;
}

/**
 * Reads the message in a body. Throws Refused: 413 for a body above its limit, 400 for every other invalid message.
 * Size, parts and depth are checked first, so that the schema gets only small values.
 */
export async function readMessage<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
  limits: MessageLimits,
): Promise<z.output<Schema>> {
  const body = await gather(request, limits.bytes);
  const value = parse(limits.unpackedBytes === undefined ? body : await unpack(body, limits.unpackedBytes));
  if (!isModest(value)) throw invalid();
  const judged = schema.safeParse(value);
  if (!judged.success) throw invalid();
  return judged.data;
}

async function gather(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Keeps the connection open: an iterator that ends early would close it before the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    // A client that is still writing could not read the refusal.
    if (size > DISCARDED_BYTES) throw tooLarge();
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throw tooLarge();
  return Buffer.concat(chunks);
}

async function unpack(body: Buffer, limit: number): Promise<Buffer> {
  return promisify(gunzip)(body, { maxOutputLength: limit }).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : invalid();
  });
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw invalid();
  }
}

/** Whether a value has few enough parts and levels. Walks without recursion, and stops at the limit. */
function isModest(value: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  let parts = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: one, depth } = next;
    if (typeof one !== 'object' || one === null) continue;
    const children = Array.isArray(one) ? one : Object.values(one);
    parts += children.length;
    if (depth > DEEPEST || parts > MOST_PARTS) return false;
    for (const child of children) open.push({ value: child, depth: depth + 1 });
  }
  return true;
}
