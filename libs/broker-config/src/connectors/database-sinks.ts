import { choice, count, duration, list, text, toggle } from '../setting-kinds.js';
import {
  address,
  fraction,
  longText,
  messagesPerBatch,
  oneOf,
  openRetries,
  required,
  requiredWhen,
  retries,
  secret,
  word,
  type ConnectorSettings,
} from './connector-setting.js';

const METADATA = {
  include_metadata: toggle(true, 'Whether stream, topic and offset are stored too.'),
  include_checksum: toggle(true, 'Whether the checksum is stored too.'),
  include_origin_timestamp: toggle(true, 'Whether the time of the sender is stored too.'),
};
const VERBOSE = { verbose_logging: toggle(false, 'Whether each batch is logged.') };
const RETRIES = { max_retries: retries(3), retry_delay: duration('1s', 'Pause before a repetition.') };

export const POSTGRES_SINK: ConnectorSettings = {
  connection_string: required(secret(word('Address of the database, user and password included.'))),
  target_table: required(word('Table that rows are added to.')),
  batch_size: messagesPerBatch(100),
  max_connections: count(10, 'Connections at once.', { min: 1, max: 1_000 }),
  auto_create_table: toggle(false, 'Whether the table is created when it is missing.'),
  ...METADATA,
  payload_format: choice('bytea', ['bytea', 'json', 'text'], 'Type of the column that payloads stand in.'),
  ...VERBOSE,
  ...RETRIES,
};

export const MONGODB_SINK: ConnectorSettings = {
  connection_uri: required(secret(word('Address of the database, user and password included.'))),
  database: required(word('Database that is written to.')),
  collection: required(word('Collection that documents are added to.')),
  max_pool_size: count(null, 'Connections at once. Default: the driver decides.', { min: 1, max: 10_000 }),
  auto_create_collection: toggle(false, 'Whether the collection is created when it is missing.'),
  batch_size: messagesPerBatch(100),
  ...METADATA,
  payload_format: choice('binary', ['binary', 'json', 'string'], 'How payloads stand in documents.'),
  ...VERBOSE,
  ...RETRIES,
};

export const INFLUXDB_SINK: ConnectorSettings = {
  version: required(oneOf(['v2', 'v3'], 'Which interface the database has.')),
  url: required(address('Where the database is reached.')),
  token: required(secret(word('Token that may write.'))),
  org: requiredWhen('version', 'v2', word('Organization, in version 2.')),
  bucket: requiredWhen('version', 'v2', word('Bucket, in version 2.')),
  db: requiredWhen('version', 'v3', word('Database, in version 3.')),
  measurement: text('iggy_messages', 'Measurement that points belong to.'),
  precision: choice('us', ['ns', 'us', 'ms', 's'], 'Precision of times.'),
  batch_size: messagesPerBatch(500),
  ...METADATA,
  include_stream_tag: toggle(true, 'Whether points are tagged by their stream.'),
  include_topic_tag: toggle(true, 'Whether points are tagged by their topic.'),
  include_partition_tag: toggle(true, 'Whether points are tagged by their partition.'),
  payload_format: choice('json', ['json', 'text', 'base64'], 'How payloads stand in points.'),
  ...VERBOSE,
  ...RETRIES,
  timeout: duration('30s', 'Time that a request may take.'),
  max_open_retries: openRetries(10),
  open_retry_max_delay: duration('60s', 'Longest pause between those attempts.'),
  retry_max_delay: duration('5s', 'Longest pause before a repetition.'),
  circuit_breaker_threshold: count(5, 'Failures in a row after which writing rests.', { min: 1 }),
  circuit_breaker_cool_down: duration('30s', 'How long it rests.'),
};

export const CLICKHOUSE_SINK: ConnectorSettings = {
  url: required(address('Where the database is reached by HTTP.')),
  table: required(word('Table that rows are added to.')),
  database: text('default', 'Database that is written to.'),
  username: text('default', 'User that may write.'),
  password: secret(text('', 'Password of that user.')),
  insert_format: choice('json_each_row', ['json_each_row', 'row_binary', 'string'], 'Format of the rows.'),
  string_format: choice('json_each_row', ['json_each_row', 'csv', 'tsv'], 'What payloads are, in the format string.'),
  timeout_seconds: count(30, 'Seconds that a request may take.', { min: 1 }),
  max_retries: retries(3),
  retry_delay: count(1, 'Seconds of pause before a repetition.'),
  ...VERBOSE,
};

export const DORIS_SINK: ConnectorSettings = {
  fe_url: required(address('Where the frontend of the warehouse is reached.')),
  database: required(word('Database that is written to.')),
  table: required(word('Table that rows are added to.')),
  username: required(word('User that may write.')),
  password: required(secret(word('Password of that user.'))),
  label_prefix: text('iggy', 'What the labels of loads begin with.'),
  max_filter_ratio: fraction('Share of rows that may be refused, 0 to 1.', 0, 1),
  columns: requiredWhen('output_format', 'csv', word('Columns in their order, for the format csv.')),
  where: longText('Condition on the rows that are stored.'),
  output_format: choice('json', ['json', 'csv'], 'Format of the rows.'),
  timeout: duration('30s', 'Time that a load may take.'),
  connect_timeout: duration('5s', 'Time that connecting may take.'),
  batch_size: messagesPerBatch(1_000),
  max_retries: retries(3),
  retry_delay: duration('200ms', 'Pause before a repetition.'),
  max_retry_delay: duration('5s', 'Longest pause.'),
  allow_insecure_redirect: toggle(false, 'Whether a redirection may lead from HTTPS to HTTP.'),
  allowed_redirect_hosts: list([], 'Hosts that a redirection may lead to.'),
};

export const SURREALDB_SINK: ConnectorSettings = {
  endpoint: required(word('Where the database is reached, without user and password.')),
  namespace: required(word('Namespace that is written to.')),
  database: required(word('Database that is written to.')),
  table: required(word('Table that records are added to.')),
  username: word('User that may write.'),
  password: secret(word('Password of that user.')),
  auth_scope: choice('root', ['root', 'namespace', 'database', 'none'], 'Where that user is known.'),
  use_tls: toggle(false, 'Whether the connection is encrypted.'),
  auto_define_table: toggle(false, 'Whether the table is defined when it is missing.'),
  define_indexes: toggle(false, 'Whether indexes are defined with it.'),
  batch_size: messagesPerBatch(1_000),
  payload_format: choice('auto', ['auto', 'json', 'text', 'base64'], 'How payloads stand in records.'),
  ...METADATA,
  include_headers: toggle(true, 'Whether headers are stored too.'),
  query_timeout: duration('30s', 'Time that a query may take.'),
  max_retries: retries(3),
  retry_delay: duration('100ms', 'Pause before a repetition.'),
  max_retry_delay: duration('5s', 'Longest pause.'),
  ...VERBOSE,
};
