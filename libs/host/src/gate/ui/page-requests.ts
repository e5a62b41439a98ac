import type { OutgoingMessage } from './mqtt-packets.js';

/** Limits for the requests of a browser. */
export const MOST_PAYLOAD_BYTES = 64 * 1024;
const MOST_TOPIC_BYTES = 1024;

/** A request of the page over its WebSocket. */
export type PageRequest =
  | { do: 'publish'; id: number; message: OutgoingMessage }
  | { do: 'subscribe' | 'unsubscribe'; id: number; topic: string };

/** A request that the node refuses, with a sentence for the person. */
export class RequestRefusal extends Error {
  constructor(
    readonly id: number,
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** @throws RequestRefusal with id 0 when the request itself is malformed */
export function readRequest(text: string, maxPacketBytes: number): PageRequest {
  const body = parsed(text);
  const { do: verb, id, topic } = body;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw malformed();
  if (typeof topic !== 'string') throw malformed();
  if (verb === 'subscribe' || verb === 'unsubscribe') {
    if (!isFilter(topic)) throw new RequestRefusal(id, 'topic_invalid', FILTER_RULE);
    return { do: verb, id, topic };
  }
  if (verb !== 'publish') throw malformed();
  if (!isTopic(topic)) throw new RequestRefusal(id, 'topic_invalid', TOPIC_RULE);
  return { do: verb, id, message: messageOf(body, id, topic, maxPacketBytes) };
}

const TOPIC_RULE = 'A topic has 1 to 1024 bytes, and no +, # or null character.';
const FILTER_RULE = 'A filter has 1 to 1024 bytes. + stands for one whole level, # for all levels at the end.';

const malformed = (): RequestRefusal => new RequestRefusal(0, 'request_invalid', 'The node cannot read this request.');

function parsed(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw malformed();
}

function messageOf(body: Record<string, unknown>, id: number, topic: string, maxPacketBytes: number): OutgoingMessage {
  const { payload, encoding = 'text', qos = 0, retain = false } = body;
  if (typeof payload !== 'string' || (qos !== 0 && qos !== 1) || typeof retain !== 'boolean') throw malformed();
  if (encoding !== 'text' && encoding !== 'base64') throw malformed();
  const bytes = Buffer.from(payload, encoding === 'text' ? 'utf8' : 'base64');
  // The header of a packet has at most 9 bytes in addition to the topic.
  const most = Math.min(MOST_PAYLOAD_BYTES, maxPacketBytes - Buffer.byteLength(topic) - 9);
  if (bytes.length > most)
    throw new RequestRefusal(
      id,
      'payload_too_large',
      `The payload has ${bytes.length} bytes. The limit is ${most} bytes.`,
    );
  return { topic, payload: bytes, qos, retain };
}

function isTopic(topic: string): boolean {
  return hasTopicLength(topic) && !/[+#\0]/.test(topic);
}

function isFilter(topic: string): boolean {
  const levels = topic.split('/');
  const isWhole = (level: string): boolean => !/[+#]/.test(level) || level === '+' || level === '#';
  return hasTopicLength(topic) && !topic.includes('\0') && levels.every(isWhole) && !levels.slice(0, -1).includes('#');
}

const hasTopicLength = (topic: string): boolean => topic !== '' && Buffer.byteLength(topic) <= MOST_TOPIC_BYTES;
