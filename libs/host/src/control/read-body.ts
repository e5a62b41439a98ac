import type { IncomingMessage } from 'node:http';
import { BrokerError } from './broker-error.js';

/** The largest bodies are access rules from a document, and documents have this limit. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** The whole body as text. Rejects with BrokerError above the limit. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) throw new BrokerError('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
