import type { BrokerSettings } from '../broker-setting.js';
import { admin, choice, count, duration, plane, size, text, toggle } from '../setting-kinds.js';

const SOME = '1 ns';
const LEVEL = String.raw`(trace|debug|info|warn|error|off|none)`;
const LEVELS = {
  pattern: new RegExp(String.raw`^(${LEVEL}|[\w:]{1,80}=${LEVEL})(,(${LEVEL}|[\w:]{1,80}=${LEVEL})){0,20}$`),
  reason: 'must be a level such as info, or levels by module such as warn,server=debug',
};
const CPUS = {
  pattern:
    /^(all|[1-9]\d{0,3}|\d{1,4}\.\.\d{1,4}|numa:auto|numa:(nodes|cores|no_ht)=[\w,]{1,60}(;(nodes|cores|no_ht)=[\w,]{1,60}){0,2})$/,
  reason: 'must be all, a number above 0, a range such as 0..4, numa:auto, or numa:nodes=…;cores=…;no_ht=true',
};
const NAMES = { pattern: /^[^\s\p{C}]{1,100}$/u, reason: 'must be a name without spaces' };
const URLS = { pattern: /^https?:\/\/[^\s\p{C}]{1,400}$/u, reason: 'must be an http or https URL' };
const INBOX = { min: 1, max: 1_048_576 };

/** Directories and addresses of the node. */
export const IGGY_PATHS: BrokerSettings = {
  path: plane(text('local_data', 'Directory of everything that the broker keeps.')),
  'node.advertised_address': plane(text(null, 'Address that clients receive.')),
  'runtime.path': plane(text('runtime', 'Directory of what the broker forgets at each start.')),
  'encryption.enabled': plane(toggle(false, 'Whether messages are encrypted on disk; decided when a node is made.')),
  'encryption.key': plane(text('', 'Key that messages are encrypted with.', undefined, { secret: true })),
};

export const IGGY_UPKEEP: BrokerSettings = {
  'data_maintenance.messages.cleaner_enabled': toggle(true, 'Whether expired messages are removed.'),
  'data_maintenance.messages.interval': duration('1 m', 'Pause between two removals of expired messages.', {
    requires: 'data_maintenance.messages.cleaner_enabled',
  }),
};

export const IGGY_LOGGING: BrokerSettings = {
  'logging.path': plane(text('logs', 'Directory of the log.')),
  'logging.file_enabled': plane(toggle(true, 'Whether the log is written to files; the agent reads them.')),
  'logging.level': text('info', 'What is logged, as a whole or by module.', LEVELS),
  'logging.max_file_size': size('500 MB', 'A log file of that size is closed and the next begun; 0 for no limit.'),
  'logging.max_total_size': size('4 GB', 'Room of all log files; the oldest are removed beyond it; 0 for no limit.'),
  'logging.rotation_check_interval': duration('1 h', 'How often size and age of log files are looked at.', {
    min: '1 s',
  }),
  'logging.retention': duration('7 days', 'Age at which log files are removed; 0 for never.', {
    ...{ min: '1 s', isZeroTaken: true },
  }),
  'logging.sysinfo_print_interval': duration('10 s', 'How often load and memory are logged; 0 for never.', {
    ...{ min: '1 s', isZeroTaken: true },
  }),
};

/** Use of the machine's resources. */
export const IGGY_MEMORY: BrokerSettings = {
  'memory_pool.enabled': admin(toggle(true, 'Whether buffers are taken from a pool that is kept.')),
  'memory_pool.size': admin(size('4 GiB', 'Most memory that the pool takes.')),
  'memory_pool.bucket_capacity': admin(
    count(8_192, 'Free buffers that are kept of each size.', { min: 128, isPowerOfTwo: true }),
  ),
};

export const IGGY_SHARDING: BrokerSettings = {
  'sharding.cpu_allocation': admin(text('numa:auto', 'Which processors the broker works on, one shard on each.', CPUS)),
  'sharding.pin_cores': admin(toggle(true, 'Whether each shard stays on its processor; not where others share them.')),
  'sharding.inbox_capacity': admin(count(65_536, 'Requests that may wait for one shard; taken in advance.', INBOX)),
  'sharding.reply_inbox_capacity': admin(count(1_024, 'Answers of other shards that may wait for one shard.', INBOX)),
  'sharding.poll_completion_capacity': admin(count(1_024, 'Finished reads that may wait for one shard.', INBOX)),
  'sharding.partition_io_capacity': admin(count(16, 'Disk jobs that one shard runs at once.', { min: 1, max: 65_536 })),
  'sharding.partition_io_bytes_max': admin(
    size(null, 'Bytes of disk jobs at once. Default: the largest job or 256 MiB.', { min: '1 B' }),
  ),
  'sharding.shutdown_drain_timeout': duration('10 s', 'Time that running requests have when the broker stops.', {
    ...{ min: SOME, max: '600 s' },
  }),
  'sharding.shutdown_poll_interval': admin(
    duration('50 ms', 'How often a stopping broker looks whether they are done.', { min: SOME, max: '5 s' }),
  ),
  'sharding.shutdown_join_timeout': duration('30 s', 'Time that all shards have to end when the broker stops.', {
    ...{ min: SOME, max: '900 s' },
  }),
  'sharding.reconcile_periodic_interval': admin(
    duration('1 s', 'How often shards compare what they know.', { min: SOME, max: '30 s' }),
  ),
};

export const IGGY_TELEMETRY: BrokerSettings = {
  'telemetry.enabled': toggle(false, 'Whether logs and traces are sent to a collector of yours (OpenTelemetry).'),
  'telemetry.service_name': text('iggy', 'Name under which the broker reports.', NAMES),
  'telemetry.logs.transport': choice('grpc', ['grpc', 'http'], 'How logs are sent.'),
  'telemetry.logs.endpoint': text('http://localhost:7281/v1/logs', 'Where logs are sent.', URLS),
  'telemetry.traces.transport': choice('grpc', ['grpc', 'http'], 'How traces are sent.'),
  'telemetry.traces.endpoint': text('http://localhost:7281/v1/traces', 'Where traces are sent.', URLS),
};
