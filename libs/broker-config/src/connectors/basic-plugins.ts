import { choice, count, duration, toggle } from '../setting-kinds.js';
import {
  address,
  destination,
  integers,
  map,
  required,
  retries,
  secret,
  type ConnectorSettings,
} from './connector-setting.js';

/** Sinks and sources that need no special external service. Every plan includes them. */
export const STDOUT_SINK: ConnectorSettings = {
  print_payload: toggle(false, 'Whether the log shows payloads, and not just that a message came.'),
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const HTTP_SINK: ConnectorSettings = {
  url: destination(required(address('Where messages are sent.'))),
  method: choice('POST', METHODS, 'Method of the requests.'),
  timeout: duration('30s', 'Time that a request may take.', { min: '1 ms', max: '10 m' }),
  max_payload_size_bytes: count(10_485_760, 'Largest message that is sent, in bytes; 0 for no bound.'),
  headers: secret(map('Headers of each request, by name.')),
  batch_mode: choice(
    'individual',
    ['individual', 'ndjson', 'json_array', 'raw'],
    'How messages share requests: one each, a line each, one array, or bytes one after the other.',
  ),
  include_metadata: toggle(true, 'Whether a message is wrapped with its stream, topic and offset.'),
  include_checksum: toggle(false, 'Whether the wrapping has the checksum.'),
  include_origin_timestamp: toggle(false, 'Whether the wrapping has the time at which its sender made the message.'),
  health_check_enabled: toggle(false, 'Whether the service is asked before the first message.'),
  health_check_method: choice('HEAD', METHODS, 'Method of that question.'),
  max_retries: retries(3),
  retry_delay: duration('1s', 'Pause before the first repetition.', { min: '1 ms', max: '1 h' }),
  retry_backoff_multiplier: count(2, 'By how much each pause is longer than the one before.', { min: 1, max: 100 }),
  max_retry_delay: duration('30s', 'Longest pause.', { min: '1 ms', max: '1 h' }),
  success_status_codes: integers([200, 201, 202, 204], 'Answers that count as taken.', {
    ...{ min: 100, max: 599 },
    entries: [1, 100],
  }),
  tls_danger_accept_invalid_certs: toggle(false, 'Whether the certificate of the service is believed unchecked.'),
  max_connections: count(10, 'Connections to the service at once.', { min: 1, max: 1_000 }),
  verbose_logging: toggle(false, 'Whether each request is logged.'),
};

export const RANDOM_SOURCE: ConnectorSettings = {
  interval: duration('1s', 'Pause between two batches.', { min: '1 ms', max: '1 d' }),
  max_count: count(null, 'Messages in all; without it there is no end.', { min: 1 }),
  messages_range: integers([10, 50], 'Messages of a batch: at least, at most.', {
    ...{ min: 1, max: 100_000 },
    entries: [2, 2],
  }),
  payload_size: count(100, 'Bytes of a payload.', { min: 1, max: 1_048_576 }),
};
