import type { CrossRule, MeasuredValues } from '../cross-rule.js';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
/** A member may miss three heartbeats and two answers, each delayed by at most this many milliseconds. */
const LATE_ANSWER_MS = 3_100;
/** The defaults of the broker for keys without a value. */
const WRITE_BUFFER_BYTES = 128 * 1024;
const LEAST_POOL_BYTES = 512 * MIB;
const PAGE_BYTES = 4_096;
/** Journal slots per concurrent change. The broker counts at least LEAST_CHANGES changes. */
const SLOTS_PER_CHANGE = 4;
const LEAST_CHANGES = 64;

const number = (values: MeasuredValues, key: string): number => Number(values[key] ?? 0);
const isSet = (values: MeasuredValues, key: string): boolean => values[key] !== null && values[key] !== undefined;
const texts = (values: MeasuredValues, key: string): readonly string[] => (values[key] ?? []) as readonly string[];

/** `smaller` is at most `larger`. A key without a value sets no limit. */
const atMost = (name: string, smaller: string, larger: string): CrossRule => ({
  name,
  keys: [smaller, larger],
  reason: `must be at most ${larger}`,
  holds: (values) =>
    !isSet(values, smaller) || !isSet(values, larger) || number(values, smaller) <= number(values, larger),
});

/** `longer` is at least `times` times `shorter`. */
const atLeastTimes = (name: string, longer: string, times: number, shorter: string): CrossRule => ({
  name,
  keys: [longer, shorter],
  reason: `must be at least ${times} times ${shorter}`,
  holds: (values) => number(values, longer) >= times * number(values, shorter),
});

/** An enabled feature has an interval above 0. */
const intervalOf = (name: string, interval: string, switchedBy: string): CrossRule => ({
  name,
  keys: [interval, switchedBy],
  reason: `must be longer than 0 while ${switchedBy} is true`,
  holds: (values) => values[switchedBy] !== true || number(values, interval) > 0,
});

const SESSIONS: CrossRule[] = [
  {
    name: 'session_outlasts_heartbeats',
    keys: ['consumer_group.session_timeout', 'consumer_group.heartbeat_interval'],
    reason: 'must be more than 3 times consumer_group.heartbeat_interval and 6.2 s',
    holds: (values) =>
      number(values, 'consumer_group.session_timeout') >
      3 * number(values, 'consumer_group.heartbeat_interval') + 2 * LATE_ANSWER_MS,
  },
  {
    name: 'session_outlasts_leader',
    keys: ['consumer_group.session_timeout', 'cluster.heartbeat_timeout'],
    reason: 'must be more than cluster.heartbeat_timeout',
    holds: (values) => number(values, 'consumer_group.session_timeout') > number(values, 'cluster.heartbeat_timeout'),
  },
  intervalOf('heartbeat_has_interval', 'heartbeat.interval', 'heartbeat.enabled'),
  intervalOf(
    'token_cleaner_has_interval',
    'personal_access_token.cleaner.interval',
    'personal_access_token.cleaner.enabled',
  ),
  intervalOf(
    'message_cleaner_has_interval',
    'data_maintenance.messages.interval',
    'data_maintenance.messages.cleaner_enabled',
  ),
];

const MACHINE: CrossRule[] = [
  {
    name: 'log_file_fits_total',
    keys: ['logging.max_file_size', 'logging.max_total_size'],
    reason: 'must be at most logging.max_total_size, unless that is 0',
    holds: (values) =>
      number(values, 'logging.max_total_size') === 0 ||
      number(values, 'logging.max_file_size') <= number(values, 'logging.max_total_size'),
  },
  {
    name: 'pool_is_of_whole_pages',
    keys: ['memory_pool.size', 'memory_pool.enabled'],
    reason: 'must be at least 512 MiB and a multiple of 4 KiB while memory_pool.enabled is true',
    holds: (values) =>
      values['memory_pool.enabled'] !== true ||
      (number(values, 'memory_pool.size') >= LEAST_POOL_BYTES && number(values, 'memory_pool.size') % PAGE_BYTES === 0),
  },
  {
    name: 'processors_in_order',
    keys: ['sharding.cpu_allocation'],
    reason: 'must begin with the lower processor, such as 0..4',
    holds: (values) => {
      const allocation = values['sharding.cpu_allocation'];
      const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(typeof allocation === 'string' ? allocation : '') ?? [];
      return from === undefined || Number(from) < Number(to);
    },
  },
  atMost('poll_within_drain', 'sharding.shutdown_poll_interval', 'sharding.shutdown_drain_timeout'),
  atMost('drain_within_join', 'sharding.shutdown_drain_timeout', 'sharding.shutdown_join_timeout'),
];

const isStarred = (values: MeasuredValues, name: string): boolean => texts(values, `http.cors.${name}`).includes('*');
const CREDENTIALED = ['allowed_origins', 'allowed_headers', 'exposed_headers'];

const CONNECTIONS: CrossRule[] = [
  atMost('stream_within_connection', 'quic.stream_receive_window', 'quic.receive_window'),
  atMost('request_within_message', 'http.max_request_size', 'message_bus.max_message_size'),
  atMost('websocket_within_message', 'websocket.max_message_size', 'message_bus.max_message_size'),
  atMost('frame_within_websocket', 'websocket.max_frame_size', 'websocket.max_message_size'),
  atMost('frame_within_message', 'websocket.max_frame_size', 'message_bus.max_message_size'),
  {
    name: 'write_buffer_within_limit',
    keys: ['websocket.max_write_buffer_size', 'websocket.write_buffer_size'],
    reason: 'must be more than websocket.write_buffer_size (default 128 KiB)',
    holds: (values) => {
      const buffer = isSet(values, 'websocket.write_buffer_size')
        ? number(values, 'websocket.write_buffer_size')
        : WRITE_BUFFER_BYTES;
      return (
        !isSet(values, 'websocket.max_write_buffer_size') || number(values, 'websocket.max_write_buffer_size') > buffer
      );
    },
  },
  {
    name: 'every_origin_stands_first',
    keys: ['http.cors.allowed_origins'],
    reason: 'may name * as the first entry only',
    holds: (values) => !texts(values, 'http.cors.allowed_origins').slice(1).includes('*'),
  },
  {
    name: 'cookies_need_names',
    keys: ['http.cors.allow_credentials', ...CREDENTIALED.map((name) => `http.cors.${name}`)],
    reason: 'needs origins, allowed headers and exposed headers that are named one by one, without *',
    holds: (values) =>
      values['http.cors.allow_credentials'] !== true || !CREDENTIALED.some((name) => isStarred(values, name)),
  },
  {
    name: 'external_auth_has_url',
    keys: ['external_auth.url', 'external_auth.enabled'],
    reason: 'must be a URL while external_auth.enabled is true',
    holds: (values) => values['external_auth.enabled'] !== true || values['external_auth.url'] !== '',
  },
];

const REPLICATION: CrossRule[] = [
  atLeastTimes('leader_outlasts_commits', 'cluster.heartbeat_timeout', 4, 'cluster.commit_broadcast_interval'),
  atLeastTimes(
    'vote_outlasts_repeats',
    'cluster.view_change_status_timeout',
    4,
    'cluster.view_change_retransmit_interval',
  ),
  {
    name: 'repair_fits_queue',
    keys: ['cluster.repair_chunk_max', 'message_bus.peer_queue_capacity'],
    reason: 'must be less than message_bus.peer_queue_capacity',
    holds: (values) => number(values, 'cluster.repair_chunk_max') < number(values, 'message_bus.peer_queue_capacity'),
  },
  {
    name: 'journal_holds_changes',
    keys: ['metadata.journal_slots', 'metadata.prepare_queue_depth'],
    reason: 'must be at least 4 times metadata.prepare_queue_depth, and 256',
    holds: (values) =>
      number(values, 'metadata.journal_slots') >=
      SLOTS_PER_CHANGE * Math.max(LEAST_CHANGES, number(values, 'metadata.prepare_queue_depth')),
  },
  {
    name: 'piece_holds_message',
    keys: ['partition.transfer_artifact_bytes_max', 'message_bus.max_message_size'],
    reason: 'must be at least 1 GiB and message_bus.max_message_size together',
    holds: (values) =>
      number(values, 'partition.transfer_artifact_bytes_max') >= GIB + number(values, 'message_bus.max_message_size'),
  },
];

/** The checks of the broker at its start, beyond the type of each key. The first key of a rule is the one to fix. */
export const IGGY_RULES: readonly CrossRule[] = [...SESSIONS, ...MACHINE, ...CONNECTIONS, ...REPLICATION];
