import { brokerSettings, crossRules } from '../broker-tables.js';
import { validateValues, withDefaults } from '../validate-values.js';
import { IGGY_RULES } from './iggy-rules.js';

const codes = (values: Record<string, unknown>, release = '0.10.0'): [string, string][] =>
  validateValues('iggy', release, values).map(({ pointer, code }) => [pointer, code]);

/** For each rule: values that break it, and the closest values that satisfy it. */
const BROKEN: Record<string, [broken: Record<string, unknown>, kept: Record<string, unknown>]> = {
  session_outlasts_heartbeats: [
    { consumer_group: { session_timeout: '21200 ms', heartbeat_interval: '5 s' } },
    { consumer_group: { session_timeout: '21201 ms', heartbeat_interval: '5 s' } },
  ],
  session_outlasts_leader: [{ 'cluster.heartbeat_timeout': '30 s' }, { 'cluster.heartbeat_timeout': '29 s' }],
  heartbeat_has_interval: [{ 'heartbeat.interval': '0' }, { heartbeat: { interval: '0', enabled: false } }],
  token_cleaner_has_interval: [
    { 'personal_access_token.cleaner.interval': '0' },
    { personal_access_token: { cleaner: { interval: '0', enabled: false } } },
  ],
  message_cleaner_has_interval: [
    { 'data_maintenance.messages.interval': '0' },
    { data_maintenance: { messages: { interval: '0', cleaner_enabled: false } } },
  ],
  log_file_fits_total: [
    { logging: { max_file_size: '5 GB' } },
    { logging: { max_file_size: '5 GB', max_total_size: '0' } },
  ],
  pool_is_of_whole_pages: [
    { 'memory_pool.size': '536875009 B' },
    { memory_pool: { size: '536875009 B', enabled: false } },
  ],
  processors_in_order: [{ 'sharding.cpu_allocation': '4..4' }, { 'sharding.cpu_allocation': '0..4' }],
  poll_within_drain: [
    { sharding: { shutdown_poll_interval: '2 s', shutdown_drain_timeout: '1 s' } },
    { sharding: { shutdown_poll_interval: '1 s', shutdown_drain_timeout: '1 s' } },
  ],
  drain_within_join: [{ 'sharding.shutdown_drain_timeout': '31 s' }, { 'sharding.shutdown_drain_timeout': '30 s' }],
  stream_within_connection: [{ 'quic.receive_window': '63 MiB' }, { 'quic.receive_window': '64 MiB' }],
  request_within_message: [{ 'http.max_request_size': '65 MiB' }, { 'http.max_request_size': '64 MiB' }],
  websocket_within_message: [{ 'websocket.max_message_size': '65 MiB' }, { 'websocket.max_message_size': '64 MiB' }],
  frame_within_websocket: [
    { websocket: { max_message_size: '1 MiB', max_frame_size: '2 MiB' } },
    { websocket: { max_message_size: '2 MiB', max_frame_size: '2 MiB' } },
  ],
  frame_within_message: [{ 'websocket.max_frame_size': '65 MiB' }, { 'websocket.max_frame_size': '64 MiB' }],
  write_buffer_within_limit: [
    { 'websocket.max_write_buffer_size': '128 KiB' },
    { websocket: { max_write_buffer_size: '128 KiB', write_buffer_size: '64 KiB' } },
  ],
  every_origin_stands_first: [
    { 'http.cors.allowed_origins': ['https://a.example', '*'] },
    { 'http.cors.allowed_origins': ['*', 'https://a.example'] },
  ],
  cookies_need_names: [
    { 'http.cors.allow_credentials': true },
    { http: { cors: { allow_credentials: true, allowed_origins: ['https://a.example'] } } },
  ],
  external_auth_has_url: [
    { 'external_auth.enabled': true },
    { external_auth: { enabled: true, url: 'https://login.example/check' } },
  ],
  leader_outlasts_commits: [
    { 'cluster.commit_broadcast_interval': '1251 ms' },
    { 'cluster.commit_broadcast_interval': '1250 ms' },
  ],
  vote_outlasts_repeats: [
    { 'cluster.view_change_retransmit_interval': '1251 ms' },
    { 'cluster.view_change_retransmit_interval': '1250 ms' },
  ],
  repair_fits_queue: [{ 'message_bus.peer_queue_capacity': 128 }, { 'message_bus.peer_queue_capacity': 129 }],
  journal_holds_changes: [
    { metadata: { journal_slots: 303, prepare_queue_depth: 76 } },
    { metadata: { journal_slots: 304, prepare_queue_depth: 76 } },
  ],
  piece_holds_message: [{ 'message_bus.max_message_size': '65 MiB' }, { 'message_bus.max_message_size': '64 MiB' }],
};

describe('The rules between keys of iggy', () => {
  it.each(Object.keys(BROKEN))('apply %s to a configuration', (name) => {
    const [broken, kept] = BROKEN[name] ?? [{}, {}];

    const issues = validateValues('iggy', '0.10.0', broken);

    expect(issues.filter(({ reason }) => reason.endsWith(`(${name}).`))).toMatchObject([{ code: 'rule_broken' }]);
    expect(validateValues('iggy', '0.10.0', kept)).toEqual([]);
  });

  it('are all tested', () => {
    expect(Object.keys(BROKEN).sort()).toEqual(IGGY_RULES.map(({ name }) => name).sort());
  });

  it.each(['0.8.0', '0.9.0', '0.10.0'])('accept all defaults of %s, like the type of each key', (release) => {
    const editable = Object.entries(withDefaults('iggy', release, {})).filter(
      ([key]) => brokerSettings('iggy', release)[key]?.editable,
    );

    expect(validateValues('iggy', release, Object.fromEntries(editable))).toEqual([]);
    expect(crossRules('iggy', release).length).toBeGreaterThan(5);
  });

  it('point at the written key when the other one has its default', () => {
    expect(codes({ quic: { receive_window: '1 MiB' } })).toEqual([['/quic/receive_window', 'rule_broken']]);
    expect(codes({ quic: { receive_window: 'much' } })).toEqual([['/quic/receive_window', 'wrong_type']]);
  });
});

describe('A key of iggy', () => {
  it.each([
    ['logging.level', 'warn,server=debug', null],
    ['logging.level', 'loud', 'not_in_format'],
    ['logging.rotation_check_interval', '999 ms', 'below_minimum'],
    ['logging.sysinfo_print_interval', '0', null],
    ['logging.sysinfo_print_interval', '10 ms', 'below_minimum'],
    ['memory_pool.bucket_capacity', 8_000, 'not_in_format'],
    ['memory_pool.bucket_capacity', 64, 'below_minimum'],
    ['sharding.cpu_allocation', 'all', null],
    ['sharding.cpu_allocation', '2', null],
    ['sharding.cpu_allocation', '0', 'not_in_format'],
    ['sharding.cpu_allocation', 'numa:nodes=0,1;cores=4;no_ht=true', null],
    ['sharding.shutdown_drain_timeout', '601 s', 'above_maximum'],
    ['sharding.shutdown_drain_timeout', '0', 'below_minimum'],
    ['partition.wal_bytes_max', '257000001 B', 'not_in_format'],
    ['http.jwt.algorithm', 'RS256', 'not_one_of'],
    ['http.metrics.endpoint', 'metrics', 'not_in_format'],
    ['http.cors.allowed_methods', 'GET', 'wrong_type'],
    ['http.cors.allowed_methods', ['GET', 'get'], 'not_in_format'],
    ['http.cors.allowed_methods', Array.from({ length: 101 }, () => 'GET'), 'too_long'],
    ['websocket.read_buffer_size', null, null],
    ['websocket.read_buffer_size', '0', 'below_minimum'],
    ['message_bus.replica_read_buffer_size', '0', null],
    ['message_bus.replica_read_buffer_size', '1 KiB', 'below_minimum'],
    ['external_auth.user_id', 0, 'below_minimum'],
    ['http.max_request_size', 2_000_000, 'wrong_type'],
    ['tcp.address', '127.0.0.1:8090', 'not_editable'],
    ['path', 'local_data', 'not_editable'],
    ['topic.max_size', '1 GiB', 'unknown_key'],
  ])('%s = %j is checked: %j', (key, value, code) => {
    expect(codes({ [key]: value }).map(([, one]) => one)).toEqual(code === null ? [] : [code]);
  });

  it('that refuses zero in an older release line is refused there', () => {
    expect(codes({ 'logging.retention': '0' })).toEqual([]);
    expect(codes({ 'logging.retention': '0' }, '0.8.0')).toEqual([['/logging.retention', 'below_minimum']]);
  });
});
