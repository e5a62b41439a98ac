import type { BrokerDriver, ConnectorType } from '@libs/domain';
import { choice, count, duration, list, text, toggle } from '../setting-kinds.js';
import { json, required, type ConnectorSettings } from './connector-setting.js';

/** Formats of payloads. */
const PAYLOADS = ['json', 'raw', 'text'];
/** This text becomes a part of broker topics unchanged. */
const PART = { pattern: /^[^\p{C}/+#]{1,255}$/u, reason: 'must be 1 to 255 characters, without / + #' };
const ONE_MS = { min: '1 ms', max: '1 h' };

export const MOST_STREAMS = 100;

/** Top-level members of every connector's values, next to `streams` and `plugin_config`. */
export const BASE_SETTINGS: ConnectorSettings = {
  enabled: toggle(false, 'Whether the connector runs.'),
  transforms: json('What is done to messages on their way, by the name of the transform.'),
};

/** Members of one entry of `streams`. */
export function streamSettings(type: ConnectorType): ConnectorSettings {
  return {
    stream: required(text(null, 'Stream of the broker.', PART)),
    topics: required({
      ...list([], type === 'source' ? 'The topic that is written to.' : 'Topics that are read.', PART),
      entries: type === 'source' ? [1, 1] : [1, 100],
    }),
    schema: choice('json', PAYLOADS, 'How payloads are spelled.'),
    batch_length: count(1_000, 'Messages of a batch.', { min: 1, max: 100_000 }),
    ...(type === 'source'
      ? { linger_time: duration('5ms', 'How long a batch waits for more messages.', ONE_MS) }
      : {
          poll_interval: duration('5ms', 'How often new messages are looked for.', ONE_MS),
          consumer_group: text(null, 'Readers of one name share messages. Default: a name of its own.', PART),
        }),
  };
}

const FIELD_TRANSFORMS = ['add_fields', 'delete_fields', 'filter_fields', 'update_fields'];

/** The transforms of nodes with this broker. Apache Iggy's runtime also has transforms for payloads that are not JSON. */
export const transformsOf = (driver: BrokerDriver): readonly string[] =>
  driver === 'iggy'
    ? [...FIELD_TRANSFORMS, 'unwrap_envelope', 'proto_convert', 'flat_buffer_convert', 'avro_convert']
    : FIELD_TRANSFORMS;
