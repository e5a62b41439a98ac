import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { z } from 'zod';
import { invalid, tooLarge } from './refused.js';

/** Members and entries of one message, together: a full status has some 7,000, a full batch of lines 2,500. */
const MOST_PARTS = 10_000;
/** A status is four levels deep. */
const DEEPEST = 8;
/** A body above its limit is read and thrown away up to here: who still writes could not read the refusal. */
const DRAINED_BYTES = 16 * 1024 * 1024;

/** What a message is held to. */
export interface MessageLimits {
  /** Bytes of the body as it arrives. */
  bytes: number;
  /** The body is gzip, of at most so many bytes when it is unpacked; absent for a body that is not packed. */
  unpackedBytes?: number;
}

/**
 * The message in a body. Throws Refused: 413 for a body above its limit, 400 for anything that is
 * not the message. Size, parts and depth are judged first, so that the schema sees only modest values.
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
  // Kept open: an iterator that ends early would cut the connection, and with it the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > DRAINED_BYTES) throw tooLarge();
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

/** Whether a value has few enough parts and levels. Walks without recursion, and no further than the limit. */
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
