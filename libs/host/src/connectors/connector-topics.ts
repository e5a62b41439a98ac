import type { ConnectorType, ConnectorValues } from '@libs/domain';
import { DEFAULT_PAYLOADS, milliseconds } from '@libs/broker-config';
import { ConnectorFault } from './delivery/connector-fault.js';
import { DEAD_LETTER_STREAM } from './delivery/dead-letter-topic.js';
import { PAYLOAD_SCHEMAS, type PayloadSchema } from './delivery/connector-message.js';

/** One topic of a connector, in MQTT terms. */
export interface ConnectorTopic {
  stream: string;
  topic: string;
  /** `<stream>/<topic>`. */
  name: string;
  schema: PayloadSchema;
  /** Maximum number of messages of the stream that are moved at once. */
  batchLength: number;
  /** Time to wait for more messages after the first one arrived. */
  pollMs: number;
}

const BATCH_LENGTH = 1_000;
const POLL_MS = 5;
const LONGEST_POLL_MS = 60_000;

/**
 * The topics of a connector, by stream. Each stream has its own batches.
 * @throws ConnectorFault
 */
export function streamsOf({ streams }: Pick<ConnectorValues, 'streams'>, type: ConnectorType): ConnectorTopic[][] {
  const all = streams.map((stream) =>
    stream.topics.map((topic) => ({
      stream: stream.stream,
      topic,
      name: topicName(stream.stream, topic),
      schema: schemaOf(stream.schema),
      batchLength: Math.max(1, stream.batch_length ?? BATCH_LENGTH),
      pollMs: pollOf(stream.poll_interval),
    })),
  );
  if (all.flat().length === 0) throw new ConnectorFault('the connector has no stream with a topic');
  if (type === 'sink' && streams.some(({ stream }) => stream === DEAD_LETTER_STREAM))
    throw new ConnectorFault(
      `a sink cannot read the stream ${DEAD_LETTER_STREAM}, which has refused messages of sinks`,
    );
  return all;
}

/** Refuses patterns. The messages that a connector moves must not depend on topics that appear later. */
function topicName(stream: string, topic: string): string {
  const name = `${stream}/${topic}`;
  // eslint-disable-next-line no-control-regex
  if (stream === '' || topic === '' || name.startsWith('$') || /[+#\u0000]/.test(name))
    throw new ConnectorFault(`stream "${stream}" and topic "${topic}" are not a valid name of a topic`);
  return name;
}

function schemaOf(text: string | undefined): PayloadSchema {
  const payloadSchema = PAYLOAD_SCHEMAS.find((schema) => schema === (text || DEFAULT_PAYLOADS));
  if (payloadSchema) return payloadSchema;
  throw new ConnectorFault(`schema ${text} is not supported on this broker; use ${PAYLOAD_SCHEMAS.join(', ')}`);
}

function pollOf(text: string | undefined): number {
  return Math.min(milliseconds(text ?? '') ?? POLL_MS, LONGEST_POLL_MS);
}
