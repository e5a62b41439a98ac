import { admin, ours, plane } from '../setting-kinds.js';
import { choice, count, duration, secret, size, text, toggle, type IggySettings } from './iggy-kinds.js';

const LEVEL = String.raw`(trace|debug|info|warn|error|off|none)`;
const LEVELS = {
  pattern: new RegExp(String.raw`^(${LEVEL}|[\w:]{1,80}=${LEVEL})(,(${LEVEL}|[\w:]{1,80}=${LEVEL})){0,20}$`),
  reason: 'must be a level such as info, or levels by module such as warn,server=debug',
};
const CPUS = {
  pattern: /^(all|[1-9]\d{0,3}|\d{1,4}\.\.\d{1,4})$/,
  reason: 'must be all, a number above 0, or a range such as 0..4',
};
const U32 = 4_294_967_295;
/** The broker never gets ready with a timer that is much shorter, and ignores signals. */
const TIMER = { min: '1 s' };
const ON_DISK = 'Fixed, because the broker finds its data there.';

/** Where and how the broker stores messages. */
export const IGGY_0_8_STORAGE: IggySettings = {
  'system.path': plane(text('Directory of all data of the broker. A directory of the node.')),
  'system.stream.path': plane(text(`Directory of the streams. ${ON_DISK}`)),
  'system.topic.path': plane(text(`Directory of the topics of a stream. ${ON_DISK}`)),
  'system.partition.path': plane(text(`Directory of the partitions of a topic. ${ON_DISK}`)),
  'system.runtime.path': plane(text(`Directory of temporary data. ${ON_DISK}`)),
  'system.backup.path': plane(text(`Directory of converted data. ${ON_DISK}`)),
  'system.backup.compatibility.path': plane(text(`Directory of converted segments. ${ON_DISK}`)),
  'system.topic.max_size': size('Maximum size of a topic without a limit of its own.', {
    words: ['unlimited'],
  }),
  'system.topic.message_expiry': duration('Age at which messages expire, in a topic without an expiry of its own.', {
    min: '1 s',
    words: ['never_expire', 'none', 'unlimited'],
  }),
  'system.segment.size': size('Size at which the broker starts a new file of a partition.', {
    min: '1 MiB',
    max: '1 GiB',
    multipleOf: 512,
  }),
  'system.segment.cache_indexes': choice(
    ['all', 'open_segment', 'none'],
    'Which indexes of messages the broker keeps in memory.',
  ),
  'system.segment.archive_expired': toggle('Whether the broker archives expired messages instead of deleting them.'),
  'system.message_deduplication.enabled': toggle(
    'Whether the broker ignores a message whose id it has received before.',
  ),
  'system.message_deduplication.max_entries': count('Maximum number of ids that the broker remembers.', {
    min: 1,
    max: U32,
  }),
  'system.message_deduplication.expiry': duration('How long the broker remembers an id.', TIMER),
  'system.compression.allow_override': toggle('Whether a topic can have another compression than the default.'),
  'system.compression.default_algorithm': choice(
    ['none', 'gzip'],
    'Compression of a topic without a compression of its own.',
  ),
  'system.encryption.enabled': plane(
    toggle('Whether the broker encrypts its stored data. Set for encrypted deployments.'),
  ),
  'system.encryption.key': plane(
    secret('Key of this encryption. Set for encrypted deployments, and never part of a configuration.'),
  ),
  'data_maintenance.messages.cleaner_enabled': toggle('Whether the broker deletes expired messages.'),
  'data_maintenance.messages.interval': duration('Time between two deletions of expired messages.', {
    ...TIMER,
    requires: 'data_maintenance.messages.cleaner_enabled',
  }),
};

const SAVED = 'Landlord saves each message before the broker acknowledges it, so that a crash loses none.';

/** What a crash can lose. Nobody can change these keys, because Landlord promises that no acknowledged message is lost. */
export const IGGY_0_8_DURABILITY: IggySettings = {
  'system.partition.messages_required_to_save': plane(
    ours(count('Messages of a partition that are saved together.'), 1, `${SAVED} The default of the broker is 1024.`),
  ),
  'system.partition.size_of_messages_required_to_save': plane(
    size('Size of messages of a partition that are saved together. Has no effect while each message is saved.'),
  ),
  'system.partition.enforce_fsync': plane(
    ours(
      toggle('Whether messages reach the disk itself before the broker acknowledges them.'),
      true,
      'Landlord sets true, so that a power failure loses no acknowledged message. The default of the broker is false.',
    ),
  ),
  'system.partition.validate_checksum': toggle('Whether the broker checks the checksums of messages that it loads.'),
  'system.state.enforce_fsync': plane(
    ours(
      toggle('Whether changes of streams, topics and users reach the disk itself.'),
      true,
      'Landlord sets true, so that a power failure loses no such change. The default of the broker is false.',
    ),
  ),
  'system.state.max_file_operation_retries': admin(
    count('How often the broker repeats a failed write.', { max: 1_000 }),
  ),
  'system.state.retry_delay': admin(duration('Time between two such attempts.', { max: '1 m' })),
  'system.recovery.recreate_missing_state': plane(
    toggle(
      'Whether the broker starts with empty partitions in place of missing ones. Fixed, so that a loss is noticed.',
    ),
  ),
  'message_saver.enabled': plane(toggle(`Whether a timer saves messages. ${SAVED}`)),
  'message_saver.enforce_fsync': plane(toggle('Has no effect in this release.')),
  'message_saver.interval': plane(duration('Time between two runs of that timer.')),
};

const LOGS = 'Landlord keeps less than the broker, because logs use the disk of the node.';

export const IGGY_0_8_LOGGING: IggySettings = {
  'system.logging.path': plane(text('Directory of the log files.')),
  'system.logging.file_enabled': plane(
    toggle('Whether the broker writes log files. The agent of the node reads them.'),
  ),
  'system.logging.level': text('Level of the log, or levels by module.', LEVELS),
  'system.logging.max_file_size': ours(
    size('Size at which the broker starts a new log file. 0: no limit.'),
    '50 MB',
    `${LOGS} The default of the broker is 500 MB.`,
  ),
  'system.logging.max_total_size': ours(
    size('Size of all log files. The broker deletes the oldest. 0: no limit.'),
    '500 MB',
    `${LOGS} The default of the broker is 4 GB.`,
  ),
  'system.logging.rotation_check_interval': duration(
    'Time between two checks of the size and age of log files.',
    TIMER,
  ),
  'system.logging.retention': duration('Age at which the broker deletes log files.', TIMER),
  'system.logging.sysinfo_print_interval': duration('Time between two log lines about load and memory. 0: never.', {
    ...TIMER,
    isZeroTaken: true,
  }),
};

/** Use of the machine. */
export const IGGY_0_8_RESOURCES: IggySettings = {
  'system.memory_pool.enabled': admin(toggle('Whether the broker keeps memory for buffers. Off on nodes below 1 GiB.')),
  'system.memory_pool.size': admin(
    size('Maximum memory for buffers. Without a value, half of the memory of the node.'),
  ),
  'system.memory_pool.bucket_capacity': admin(
    count('Free buffers of each size that the broker keeps.', {
      ...{ min: 128, max: 65_536, isPowerOfTwo: true },
    }),
  ),
  'system.sharding.cpu_allocation': admin(
    ours(
      text('CPUs of the broker, as a number or a range. Each gets a shard.', CPUS),
      'all',
      'The default of Landlord is all CPUs of the node, and more than these are never used. The broker itself ' +
        'counts all CPUs of the machine.',
    ),
  ),
};
