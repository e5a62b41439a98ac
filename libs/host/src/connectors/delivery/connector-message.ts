/** A message between broker and plugin. */
export interface ConnectorMessage {
  /** Unique within the connector. A repetition of the message has the same id. */
  id: string;
  stream: string;
  topic: string;
  /** The format of the payload. */
  schema: PayloadSchema;
  payload: Buffer;
  /** When it was received from the broker, in milliseconds since the epoch. */
  takenAtMs: number;
  /** The same in microseconds. Two messages of a process never have the same value. */
  takenAtUs: number;
}

/** The upstream runtime also supports proto, flatbuffer and avro. This one does not, and reports that. */
export const PAYLOAD_SCHEMAS = ['json', 'text', 'raw'] as const;
export type PayloadSchema = (typeof PAYLOAD_SCHEMAS)[number];

/**
 * Top-level field of a JSON payload that identifies the message. Sources of this runtime write it, and publishers may. MQTT
 * 3.1.1, the protocol of all brokers here, has no place for it outside the payload.
 */
export const MESSAGE_ID = 'ld_id';

const LONGEST_ID = 200;

/** The id in a payload, or null. */
export function idIn(payload: Buffer): string | null {
  // Avoids parsing most payloads.
  if (payload[0] !== 0x7b || !payload.includes(`"${MESSAGE_ID}"`)) return null;
  try {
    const { [MESSAGE_ID]: id } = JSON.parse(payload.toString('utf8')) as Record<string, unknown>;
    return typeof id === 'string' && /^[\x21-\x7e]+$/.test(id) && id.length <= LONGEST_ID ? id : null;
  } catch {
    return null;
  }
}
