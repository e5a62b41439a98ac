/** A message on its way through a connector. */
export interface ConnectorMessage {
  /** Tells the message apart from every other of the connector; a repeat of it has the same. */
  id: string;
  stream: string;
  topic: string;
  /** How the payload is spelled. */
  schema: PayloadSchema;
  payload: Buffer;
  /** When it was taken from the broker, in milliseconds since the epoch. */
  takenAtMs: number;
}

/** Upstream's runtime knows proto, flatbuffer and avro too; this runner does not, and says so. */
export const PAYLOAD_SCHEMAS = ['json', 'text', 'raw'] as const;
export type PayloadSchema = (typeof PAYLOAD_SCHEMAS)[number];

/**
 * Top-level field of a JSON payload that tells the message apart. Sources of this runner write it, and publishers may: MQTT
 * 3.1.1, which all brokers here speak, has no place beside the payload.
 */
export const MESSAGE_ID = 'ld_id';

const LONGEST_ID = 200;

/** The id that stands in a payload, or null. */
export function idIn(payload: Buffer): string | null {
  // Not every payload is worth parsing.
  if (payload[0] !== 0x7b || !payload.includes(`"${MESSAGE_ID}"`)) return null;
  try {
    const { [MESSAGE_ID]: id } = JSON.parse(payload.toString('utf8')) as Record<string, unknown>;
    return typeof id === 'string' && /^[\x21-\x7e]+$/.test(id) && id.length <= LONGEST_ID ? id : null;
  } catch {
    return null;
  }
}
