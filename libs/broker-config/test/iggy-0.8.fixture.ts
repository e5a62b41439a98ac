type Values = Record<string, unknown>;

/** For each rule: values that break it, and the closest values that satisfy it. */
export const BROKEN_RULES: readonly (readonly [rule: string, broken: Values, kept: Values])[] = [
  ['log_file_fits_total', { 'system.logging.max_file_size': '501 MB' }, { 'system.logging.max_file_size': '500 MB' }],
  [
    'log_file_fits_total',
    { 'system.logging.max_file_size': '5 GB' },
    { 'system.logging.max_file_size': '5 GB', 'system.logging.max_total_size': '0' },
  ],
  ['pool_is_of_whole_pages', { 'system.memory_pool.size': '511 MiB' }, { 'system.memory_pool.size': '512 MiB' }],
  [
    'pool_is_of_whole_pages',
    { 'system.memory_pool.size': '536875009 B' },
    { 'system.memory_pool.size': '536875009 B', 'system.memory_pool.enabled': false },
  ],
  ['processors_in_order', { 'system.sharding.cpu_allocation': '0..0' }, { 'system.sharding.cpu_allocation': '0..1' }],
  [
    'topic_holds_segment',
    { 'system.topic.max_size': '1 MB', 'system.segment.size': '1 MiB' },
    { 'system.topic.max_size': '1 MiB', 'system.segment.size': '1 MiB' },
  ],
  [
    'write_buffer_within_limit',
    { 'websocket.max_write_buffer_size': '128 KiB' },
    { 'websocket.max_write_buffer_size': '128 KiB', 'websocket.write_buffer_size': '64 KiB' },
  ],
  [
    'every_origin_stands_first',
    { 'http.cors.enabled': true, 'http.cors.allowed_origins': ['https://a.example', '*'] },
    { 'http.cors.enabled': true, 'http.cors.allowed_origins': ['*', 'https://a.example'] },
  ],
  ...['allowed_origins', 'allowed_headers', 'exposed_headers'].map((name) => {
    const others = { 'http.cors.enabled': true, 'http.cors.allow_credentials': true };
    const named = { ...others, 'http.cors.allowed_origins': ['https://a.example'] };
    return ['cookies_need_names', { ...named, [`http.cors.${name}`]: ['*'] }, named] as const;
  }),
];

/** Values that the real server refuses, each with the closest value that it accepts. `also` makes the key matter. */
export interface RefusedValue {
  key: string;
  refused: unknown;
  accepted: unknown;
  also?: Values;
}

const CORS = { 'http.cors.enabled': true };
const CLEANER = { 'data_maintenance.messages.cleaner_enabled': true };
const sizes = (key: string, accepted = '0'): RefusedValue[] =>
  ['none', 'unlimited', 'disabled'].map((refused) => ({ key, refused, accepted }));

/** With these values the server exits. The exit code is often 0. */
export const REFUSED_VALUES: readonly RefusedValue[] = [
  ...sizes('http.max_request_size', '64 KiB'),
  ...sizes('system.logging.max_file_size'),
  { key: 'system.topic.max_size', refused: 'none', accepted: 'unlimited' },
  { key: 'system.topic.max_size', refused: '0', accepted: 'unlimited' },
  { key: 'system.topic.max_size', refused: 'disabled', accepted: 'unlimited' },
  { key: 'system.topic.message_expiry', refused: 'disabled', accepted: 'none' },
  { key: 'http.cors.allowed_methods', refused: ['GET', 'PROPFIND'], accepted: ['GET', 'TRACE'], also: CORS },
  { key: 'http.cors.allowed_methods', refused: ['*'], accepted: [], also: CORS },
  { key: 'http.cors.allowed_headers', refused: ['a b'], accepted: ['a-b'], also: CORS },
  { key: 'http.cors.exposed_headers', refused: ['a b'], accepted: [], also: CORS },
  ...['/stats', '/ping', '/', 'metrics'].map((refused) => ({
    ...{ key: 'http.metrics.endpoint', refused, accepted: undefined },
  })),
  { key: 'http.jwt.algorithm', refused: 'ES256', accepted: 'HS512' },
  { key: 'personal_access_token.max_tokens_per_user', refused: 0, accepted: 1 },
  { key: 'personal_access_token.max_tokens_per_user', refused: 4_294_967_296, accepted: 4_294_967_295 },
  { key: 'personal_access_token.cleaner.interval', refused: '0', accepted: '1 s' },
  { key: 'data_maintenance.messages.interval', refused: '0', accepted: '1 s', also: CLEANER },
  { key: 'system.segment.size', refused: '1025 MiB', accepted: '1 GiB' },
  { key: 'system.segment.size', refused: '1048577 B', accepted: '1049088 B' },
  { key: 'system.segment.cache_indexes', refused: 'some', accepted: 'all' },
  { key: 'system.compression.default_algorithm', refused: 'lz4', accepted: 'gzip' },
  { key: 'system.logging.rotation_check_interval', refused: '999 ms', accepted: '1 s' },
  { key: 'system.logging.retention', refused: '0', accepted: '1 s' },
  { key: 'system.memory_pool.bucket_capacity', refused: 64, accepted: 128 },
  { key: 'system.memory_pool.bucket_capacity', refused: 8_000, accepted: 8_192 },
  { key: 'system.sharding.cpu_allocation', refused: '0', accepted: '1' },
  { key: 'telemetry.enabled', refused: true, accepted: undefined },
  {
    ...{ key: 'telemetry.enabled', refused: true, accepted: undefined },
    also: { 'telemetry.logs.transport': 'http', 'telemetry.traces.transport': 'http' },
  },
  { key: 'system.encryption.enabled', refused: true, accepted: undefined },
];

/** With these values the server neither gets ready nor stops at SIGTERM. */
export const ENDLESS_STARTS: readonly RefusedValue[] = [
  { key: 'heartbeat.interval', refused: '0', accepted: '1 s', also: { 'heartbeat.enabled': true } },
  { key: 'heartbeat.interval', refused: '1 ns', accepted: '1 s', also: { 'heartbeat.enabled': true } },
  { key: 'personal_access_token.cleaner.interval', refused: '1 ns', accepted: '1 s' },
  { key: 'data_maintenance.messages.interval', refused: '1 ns', accepted: '1 s', also: CLEANER },
  { key: 'consumer_group.rebalancing_check_interval', refused: '0', accepted: '1 s' },
  { key: 'system.logging.sysinfo_print_interval', refused: '1 ns', accepted: '1 s' },
  { key: 'message_saver.interval', refused: '0', accepted: undefined },
];
