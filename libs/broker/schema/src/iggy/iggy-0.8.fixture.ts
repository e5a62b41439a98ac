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
