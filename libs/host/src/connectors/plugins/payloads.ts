import { MessageRefused } from '../delivery/message-refused.js';
import type { ConnectorMessage } from '../delivery/connector-message.js';
import type { Outcome, RefusedMessage } from './plugin.js';

/** The value of a payload by its format. @throws MessageRefused when the payload is not JSON */
export function valueOf({ schema, payload }: Pick<ConnectorMessage, 'schema' | 'payload'>): unknown {
  if (schema === 'text') return payload.toString('utf8');
  if (schema === 'raw') return { data: payload.toString('base64'), encoding: 'base64' };
  try {
    return JSON.parse(payload.toString('utf8')) as unknown;
  } catch {
    throw new MessageRefused('the payload is not JSON');
  }
}

/** The members of a document: those of a JSON object, or one member with the text or the bytes. @throws MessageRefused */
export function membersOf(message: Pick<ConnectorMessage, 'schema' | 'payload'>): Record<string, unknown> {
  const value = valueOf(message);
  if (message.schema === 'text') return { text: value };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new MessageRefused('the payload is not a JSON object');
}

/** Where a message came from, for a destination that stores it next to the payload. */
export function metadataOf({ id, stream, topic, takenAtMs }: ConnectorMessage): Record<string, unknown> {
  return { id, stream, topic, received_at: new Date(takenAtMs).toISOString() };
}

/** A message with what the destination gets for it. */
export interface Mapped<T> {
  message: ConnectorMessage;
  value: T;
}

/** Maps messages. Reports those that cannot be mapped as refused, and returns the others. */
export async function mapped<T>(
  messages: readonly ConnectorMessage[],
  map: (message: ConnectorMessage) => T,
  outcome: Outcome,
): Promise<Mapped<T>[]> {
  const refused: RefusedMessage[] = [];
  const all = messages.flatMap((message) => {
    try {
      return [{ message, value: map(message) }];
    } catch (error) {
      if (!(error instanceof MessageRefused)) throw error;
      refused.push({ message, reason: error.message });
      return [];
    }
  });
  if (refused.length > 0) await outcome.refused(refused);
  return all;
}

/** Parts of at most `most` bytes, in order. A larger document is alone in its part. */
export function* withinBytes<T extends string | Buffer>(
  documents: readonly Mapped<T>[],
  most: number,
): Generator<Mapped<T>[]> {
  let [part, bytes]: [Mapped<T>[], number] = [[], 0];
  for (const document of documents) {
    const size = Buffer.byteLength(document.value) + 1;
    if (part.length > 0 && bytes + size > most) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(document);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
