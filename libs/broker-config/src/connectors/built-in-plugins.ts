import { choice, duration, size, text, toggle } from '../setting-kinds.js';
import { HTTP_SINK, RANDOM_SOURCE, STDOUT_SINK } from './basic-plugins.js';
import {
  address,
  destination,
  messagesPerBatch,
  required,
  retries,
  secret,
  word,
  type ConnectorSettings,
} from './connector-setting.js';
import { CLICKHOUSE_SINK, INFLUXDB_SINK, MONGODB_SINK, POSTGRES_SINK } from './database-sinks.js';
import { S3_SINK } from './lake-sinks.js';
import { ELASTICSEARCH_SINK, MEILISEARCH_SINK, QUICKWIT_SINK } from './search-sinks.js';
import { POSTGRES_SOURCE } from './service-sources.js';

/** The settings without keys that have no effect on these nodes. A configuration with such a key is refused. */
function without(settings: ConnectorSettings, keys: readonly string[]): ConnectorSettings {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !keys.includes(key)));
}

/** A URL that nodes send to, and that gets the secrets of the configuration. */
const url = (description: string): ConnectorSettings => ({ url: destination(required(address(description))) });

/** A sink has one connection at a time, to keep the order. MQTT 3.1.1 has no time of the sender. */
const OF_IGGY = ['max_connections', 'include_origin_timestamp'];
/** A failing destination is tried again without a limit, with growing pauses. */
const RETRIES = ['max_retries', 'retry_delay'];
/** These are for other ways to wait for a service. The nodes always retry with growing pauses. */
const PAUSES = [
  ...['max_open_retries', 'open_retry_max_delay', 'retry_max_delay', 'circuit_breaker_threshold'],
  ...['circuit_breaker_cool_down', 'verbose_logging', 'include_checksum', 'include_partition_tag'],
];
const CDC = ['custom_query', 'replication_slot', 'capture_operations', 'cdc_backend', 'verbose_logging'];
const S3_KEYS = ['include_headers', 'max_attempts', 'retry_delay'];

const WITH_RETRIES: ConnectorSettings = {
  max_retries: retries(3),
  retry_delay: duration('1s', 'Pause before the first repetition. Each pause is twice the one before.'),
};

/** The plugins that are built into embedded and nats nodes, by `type:key`, with the settings that have an effect there. */
export const BUILT_IN_PLUGINS: Readonly<Record<string, ConnectorSettings>> = {
  'source:random': RANDOM_SOURCE,
  'source:postgres': {
    ...without(POSTGRES_SOURCE, [...OF_IGGY, ...RETRIES, ...CDC]),
    mode: required(choice('polling', ['polling'], 'Rows are asked for. These nodes do not follow a replication slot.')),
    payload_format: choice('json', ['json', 'bytea', 'text'], 'What that column holds.'),
  },
  'sink:stdout': STDOUT_SINK,
  'sink:http': without(HTTP_SINK, OF_IGGY),
  'sink:postgres': without(POSTGRES_SINK, [...OF_IGGY, ...RETRIES]),
  'sink:mongodb': without(MONGODB_SINK, [...OF_IGGY, ...RETRIES, 'verbose_logging']),
  'sink:elasticsearch': {
    ...without(ELASTICSEARCH_SINK, ['timeout_seconds']),
    ...url('Where Elasticsearch or OpenSearch is reached.'),
    batch_size: messagesPerBatch(1_000),
    timeout: duration('30s', 'Time that a request may take.', { min: '1 ms' }),
    ...WITH_RETRIES,
  },
  'sink:quickwit': {
    ...QUICKWIT_SINK,
    ...url('Where the service is reached.'),
    timeout: duration('30s', 'Time that a request may take.', { min: '1 ms' }),
    ...WITH_RETRIES,
  },
  'sink:influxdb': {
    ...without(INFLUXDB_SINK, [...OF_IGGY, ...PAUSES]),
    ...url('Where the database is reached.'),
    measurement: text('messages', 'Measurement that points belong to.'),
    precision: choice(
      'us',
      ['us', 'ns'],
      'Precision of times. A coarser one would overwrite points of the same moment.',
    ),
    include_metadata: toggle(true, 'Whether the id of the message is a field too.'),
    payload_format: choice(
      'json',
      ['json', 'text', 'base64'],
      'How payloads stand in points: each member of a JSON object is a field, or the payload is one field.',
    ),
  },
  'sink:clickhouse': {
    ...without(CLICKHOUSE_SINK, ['insert_format', 'string_format']),
    ...url('Where the database is reached by HTTP.'),
  },
  'sink:meilisearch': {
    ...without(MEILISEARCH_SINK, ['max_open_retries']),
    ...url('Where the service is reached.'),
    primary_key: text('ld_id', 'Member that names a document. The sink sets it to the id of the message.'),
  },
  'sink:s3': {
    ...without(S3_SINK, S3_KEYS),
    endpoint: destination(address('Where S3 is reached, if it is not the one of AWS.')),
    access_key_id: required(secret(word('Id of the key. The nodes use no other credentials.'))),
    secret_access_key: required(secret(word('The key.'))),
    file_rotation: choice('size', ['size', 'messages'], 'What ends a file. The end of a batch always ends a file.'),
    max_file_size: size('8MiB', 'Size that ends a file.', { min: '1 KiB', max: '64 MiB' }),
    output_format: choice(
      'json_lines',
      ['json_lines', 'json_array', 'raw'],
      'Format of the files. With raw each message is a file with its exact bytes.',
    ),
  },
};
