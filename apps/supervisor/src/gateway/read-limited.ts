import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** The JSON document in a body of at most `limit` bytes; null for anything else. */
export async function readLimited(request: IncomingMessage, limit: number): Promise<unknown> {
  const body = await readBody(request, limit);
  return body && parse(body);
}

/** As readLimited, of a body in gzip that is at most `unpackedLimit` bytes when it is unpacked. */
export async function readPacked(request: IncomingMessage, limit: number, unpackedLimit: number): Promise<unknown> {
  const body = await readBody(request, limit);
  const unpacked = body && (await promisify(gunzip)(body, { maxOutputLength: unpackedLimit }).catch(() => null));
  return unpacked && parse(unpacked);
}

async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
