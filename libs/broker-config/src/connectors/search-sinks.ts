import { choice, count, duration, text, toggle } from '../setting-kinds.js';
import {
  address,
  json,
  longText,
  messagesPerBatch,
  openRetries,
  required,
  retries,
  secret,
  word,
  type ConnectorSettings,
} from './connector-setting.js';

export const ELASTICSEARCH_SINK: ConnectorSettings = {
  url: required(address('Where the cluster is reached.')),
  index: required(word('Index that documents are added to.')),
  username: word('User that may write.'),
  password: secret(word('Password of that user.')),
  batch_size: { ...messagesPerBatch(null), description: 'Taken for compatibility; the plugin decides by itself.' },
  timeout_seconds: count(null, 'Taken for compatibility; the plugin decides by itself.', { min: 1 }),
  create_index_if_not_exists: toggle(true, 'Whether the index is created when it is missing.'),
  index_mapping: json('Mapping of an index that is created.'),
};

export const QUICKWIT_SINK: ConnectorSettings = {
  url: required(address('Where the service is reached.')),
  index: required(longText('Configuration of the index, as YAML.')),
};

export const MEILISEARCH_SINK: ConnectorSettings = {
  url: required(address('Where the service is reached.')),
  index: required(word('Index that documents are added to.')),
  api_key: secret(word('Key that may write.')),
  primary_key: text('iggy_id', 'Member that names a document.'),
  document_action: choice('replace', ['replace', 'update'], 'What becomes of a document that is there already.'),
  create_index_if_not_exists: toggle(true, 'Whether the index is created when it is missing.'),
  include_metadata: toggle(true, 'Whether stream, topic and offset are stored too.'),
  batch_size: messagesPerBatch(1_000),
  timeout: duration('30s', 'Time that a request may take.'),
  wait_for_tasks: toggle(true, 'Whether a batch counts only when the service has worked it in.'),
  task_timeout: duration('30s', 'Time that this may take.'),
  task_poll_interval: duration('100ms', 'How often the service is asked for it.', { min: '1 ms' }),
  max_retries: retries(3),
  retry_delay: duration('500ms', 'Pause before a repetition.'),
  max_retry_delay: duration('5s', 'Longest pause.'),
  max_open_retries: openRetries(5),
};
