import type { BrokerDriver, ConnectorType } from '@libs/domain';
import { choice, count, duration, list, text, toggle } from '../setting-kinds.js';
import { json, required, type ConnectorSettings } from './connector-setting.js';

/** Format of payloads of a stream that names none. */
export const DEFAULT_PAYLOADS = 'json';
/** Formats of payloads. */
const PAYLOADS = [DEFAULT_PAYLOADS, 'raw', 'text'];
/** This text becomes a part of broker topics unchanged. */
const PART = { pattern: /^[^\p{C}/+#]{1,255}$/u, reason: 'must be 1 to 255 characters, without / + #' };
/** No sink reads the dead letters of sinks, so that no letter comes back to a sink. */
const READABLE = {
  pattern: /^(?!dead_letters$)[^\p{C}/+#]{1,255}$/u,
  reason: 'must be 1 to 255 characters, without / + #, and not dead_letters, which no sink may read',
};
const ONE_MS = { min: '1 ms', max: '1 h' };

export const MOST_STREAMS = 100;

/** Top-level members of a connector's values, next to `streams` and `plugin_config`. */
export function baseSettings(driver: BrokerDriver, type: ConnectorType): ConnectorSettings {
  const letters = text(null, 'Refused messages are also published to this topic of the stream dead_letters.', PART);
  return {
    enabled: toggle(false, 'Whether the connector runs.'),
    transforms: json('What is done to messages on their way, by the name of the transform.'),
    ...(driver !== 'iggy' && type === 'sink' && { dead_letter_topic: letters }),
  };
}

/**
 * Members of one entry of `streams`. Keys of Apache Iggy that have no effect on other nodes are refused there. A consumer group is a
 * member of the contract, so every sink takes it.
 */
export function streamSettings(driver: BrokerDriver, type: ConnectorType): ConnectorSettings {
  const lingerTime = duration('5ms', 'How long a batch waits for more messages.', ONE_MS);
  const consumerGroup = text(null, 'Readers of one name share messages. Default: a name of its own.', PART);
  return {
    stream: required(text(null, 'Stream of the broker.', driver !== 'iggy' && type === 'sink' ? READABLE : PART)),
    topics: required({
      ...list([], type === 'source' ? 'The topic that is written to.' : 'Topics that are read.', PART),
      entries: type === 'source' ? [1, 1] : [1, 100],
    }),
    schema: choice(DEFAULT_PAYLOADS, PAYLOADS, 'How payloads are spelled.'),
    batch_length: count(1_000, 'Messages of a batch of this stream.', { min: 1, max: 100_000 }),
    ...(type === 'sink' && {
      poll_interval: duration('5ms', 'How long a batch of this stream waits for more messages.', ONE_MS),
      consumer_group: { ...consumerGroup, ...(driver !== 'iggy' && { ignoredBy: 'landlord' }) },
    }),
    ...(driver === 'iggy' && type === 'source' && { linger_time: lingerTime }),
  };
}

const FIELD_TRANSFORMS = ['add_fields', 'delete_fields', 'filter_fields', 'update_fields'];

/** The transforms of nodes with this broker. Apache Iggy's runtime also has transforms for payloads that are not JSON. */
export const transformsOf = (driver: BrokerDriver): readonly string[] =>
  driver === 'iggy'
    ? [...FIELD_TRANSFORMS, 'unwrap_envelope', 'proto_convert', 'flat_buffer_convert', 'avro_convert']
    : FIELD_TRANSFORMS;
