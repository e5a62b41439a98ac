import { choice, count, duration, list, text, toggle } from '../setting-kinds.js';
import {
  address,
  json,
  longText,
  messagesPerBatch,
  names,
  oneOf,
  openRetries,
  required,
  requiredWhen,
  retries,
  secret,
  word,
  type ConnectorSettings,
} from './connector-setting.js';

const VERBOSE = { verbose_logging: toggle(false, 'Whether each batch is logged.') };

/** A source continues after the last value that it has read. */
const INITIAL_OFFSET = { initial_offset: word('Value to begin behind. Default: at the beginning.') };

export const POSTGRES_SOURCE: ConnectorSettings = {
  connection_string: required(secret(word('Address of the database, user and password included.'))),
  mode: required(oneOf(['polling', 'cdc'], 'Whether rows are asked for, or changes are followed.')),
  tables: required(names('Tables that are read.')),
  poll_interval: duration('10s', 'How often rows are asked for.', { min: '1 ms' }),
  batch_size: messagesPerBatch(1_000),
  tracking_column: text('id', 'Column that only grows, by which new rows are found.'),
  ...INITIAL_OFFSET,
  max_connections: count(10, 'Connections at once.', { min: 1, max: 1_000 }),
  custom_query: longText('Query in place of the one that is made of the tables.'),
  snake_case_columns: toggle(false, 'Whether names of columns are written in snake case.'),
  include_metadata: toggle(true, 'Whether table, operation and time go along.'),
  replication_slot: text('iggy_slot', 'Replication slot, while changes are followed.'),
  capture_operations: list(['INSERT', 'UPDATE', 'DELETE'], 'Changes that are taken.', {
    pattern: /^(INSERT|UPDATE|DELETE)$/,
    reason: 'must be INSERT, UPDATE or DELETE',
  }),
  cdc_backend: choice('builtin', ['builtin'], 'How changes are followed.'),
  delete_after_read: toggle(false, 'Whether rows that were taken are deleted.'),
  processed_column: word('Flag that is set on rows that were taken.'),
  primary_key_column: word('Column that names a row. Default: the tracking column.'),
  payload_column: word('Column that is the payload. Default: the whole row.'),
  payload_format: choice('json', ['json', 'bytea', 'text', 'json_direct'], 'What that column holds.'),
  ...VERBOSE,
  max_retries: retries(3),
  retry_delay: duration('1s', 'Pause before a repetition.'),
};

export const ELASTICSEARCH_SOURCE: ConnectorSettings = {
  url: required(address('Where the cluster is reached.')),
  index: required(word('Index that is read.')),
  username: word('User that may read.'),
  password: secret(word('Password of that user.')),
  query: json('Query. Default: every document.'),
  polling_interval: duration('10s', 'How often documents are asked for.', { min: '1 ms' }),
  batch_size: messagesPerBatch(100),
  timestamp_field: text('@timestamp', 'Member by which new documents are found.'),
  scroll_timeout: { ...duration('1m', 'How long the cluster keeps a search open.'), default: null },
  state: json('How the source keeps what it has read.'),
};

export const INFLUXDB_SOURCE: ConnectorSettings = {
  version: required(oneOf(['v2', 'v3'], 'Which interface the database has.')),
  url: required(address('Where the database is reached.')),
  token: required(secret(word('Token that may read.'))),
  query: required(longText('Query, in the language of that version.')),
  org: requiredWhen('version', 'v2', word('Organization, in version 2.')),
  db: requiredWhen('version', 'v3', word('Database, in version 3.')),
  poll_interval: duration('5s', 'How often the query is asked.', { min: '1 ms' }),
  batch_size: messagesPerBatch(500),
  cursor_field: word('Column by which new points are found. Default: _time in version 2 and time in 3.'),
  ...INITIAL_OFFSET,
  payload_column: word('Column that is the payload. Default: the whole point.'),
  payload_format: choice('json', ['json', 'text', 'raw'], 'What that column holds.'),
  include_metadata: toggle(true, 'Whether measurement and time go along.'),
  ...VERBOSE,
  max_retries: { ...retries(3), min: 1 },
  retry_delay: duration('1s', 'Pause before a repetition.'),
  timeout: duration('10s', 'Time that a query may take.'),
  max_open_retries: openRetries(10),
  open_retry_max_delay: duration('60s', 'Longest pause between those attempts.'),
  retry_max_delay: duration('5s', 'Longest pause before a repetition.'),
  circuit_breaker_threshold: count(5, 'Failures in a row after which reading rests.', { min: 1 }),
  circuit_breaker_cool_down: duration('30s', 'How long it rests.'),
  stuck_batch_cap_factor: count(10, 'How far a batch of equal times may grow, in version 3.', { max: 100 }),
};
