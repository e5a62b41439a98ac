import type { IncomingMessage } from 'node:http';
import { DOCUMENT_LIMIT_BYTES } from '@libs/domain';
import { BrokerError } from '../broker-error.js';

/** The whole body as text. Rejects with BrokerError beyond the size of the largest document. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > DOCUMENT_LIMIT_BYTES) throw new BrokerError('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
