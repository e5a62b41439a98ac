import type { IncomingMessage } from 'node:http';
import { PageRefusal } from '../../../../gate/http-answers.js';
import { MOST_PAYLOAD_BYTES } from '../../../../gate/ui/page-requests.js';

/** A payload in base64, with the rest of the request. */
const BODY_BYTES = 2 * MOST_PAYLOAD_BYTES;
const MOST_PARTITIONS = 2 ** 32;

/** A message of the page, in the form of the server. */
export interface SentMessage {
  partitioning: { kind: 'balanced' | 'partition_id'; value: string };
  messages: [{ id: 0; payload: string }];
}

/** @throws PageRefusal content_type_unsupported, body_too_large, body_invalid, payload_too_large */
export async function readMessage(request: IncomingMessage): Promise<SentMessage> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new PageRefusal(415, 'content_type_unsupported', 'Send the message as application/json.');
  const { payload, encoding = 'text', partition = null } = parsed(await bodyOf(request));
  if (typeof payload !== 'string' || (encoding !== 'text' && encoding !== 'base64')) throw malformed();
  const bytes = Buffer.from(payload, encoding === 'text' ? 'utf8' : 'base64');
  if (bytes.length === 0) throw new PageRefusal(400, 'payload_empty', 'A message has at least one byte.');
  if (bytes.length > MOST_PAYLOAD_BYTES)
    throw new PageRefusal(
      413,
      'payload_too_large',
      `The payload has ${bytes.length} bytes. The limit is ${MOST_PAYLOAD_BYTES} bytes.`,
    );
  return { partitioning: partitioningOf(partition), messages: [{ id: 0, payload: bytes.toString('base64') }] };
}

function partitioningOf(partition: unknown): SentMessage['partitioning'] {
  if (partition === null) return { kind: 'balanced', value: '' };
  if (typeof partition !== 'number' || !Number.isInteger(partition) || partition < 0 || partition >= MOST_PARTITIONS)
    throw malformed();
  const value = Buffer.alloc(4);
  value.writeUInt32LE(partition);
  return { kind: 'partition_id', value: value.toString('base64') };
}

/** Stops reading at the limit. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES) throw new PageRefusal(413, 'body_too_large', `The body is larger than ${BODY_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw malformed();
}

const malformed = (): PageRefusal =>
  new PageRefusal(
    400,
    'body_invalid',
    'The body is an object with `payload`, and optionally `encoding` and `partition`.',
  );
