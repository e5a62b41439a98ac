import type { CrossRule, MeasuredValues } from '../cross-rule.js';

const LEAST_POOL_BYTES = 512 * 2 ** 20;
const PAGE_BYTES = 4_096;
/** The size of the broker for `websocket.write_buffer_size` without a value. */
const WRITE_BUFFER_BYTES = 128 * 1024;

const number = (values: MeasuredValues, key: string): number => Number(values[key] ?? 0);
const isSet = (values: MeasuredValues, key: string): boolean => values[key] !== null && values[key] !== undefined;
const texts = (values: MeasuredValues, key: string): readonly string[] => (values[key] ?? []) as readonly string[];

const MACHINE: CrossRule[] = [
  {
    name: 'log_file_fits_total',
    keys: ['system.logging.max_file_size', 'system.logging.max_total_size'],
    reason: 'must be at most system.logging.max_total_size, unless that is 0',
    holds: (values) =>
      number(values, 'system.logging.max_total_size') === 0 ||
      number(values, 'system.logging.max_file_size') <= number(values, 'system.logging.max_total_size'),
  },
  {
    name: 'pool_is_of_whole_pages',
    keys: ['system.memory_pool.size', 'system.memory_pool.enabled'],
    reason: 'must be at least 512 MiB and a multiple of 4 KiB while system.memory_pool.enabled is true',
    holds: (values) =>
      values['system.memory_pool.enabled'] !== true ||
      (number(values, 'system.memory_pool.size') >= LEAST_POOL_BYTES &&
        number(values, 'system.memory_pool.size') % PAGE_BYTES === 0),
  },
  {
    name: 'processors_in_order',
    keys: ['system.sharding.cpu_allocation'],
    reason: 'must begin with the lower CPU, such as 0..4',
    holds: (values) => {
      const allocation = values['system.sharding.cpu_allocation'];
      const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(typeof allocation === 'string' ? allocation : '') ?? [];
      return from === undefined || Number(from) < Number(to);
    },
  },
  {
    name: 'topic_holds_segment',
    keys: ['system.topic.max_size', 'system.segment.size'],
    reason: 'must be at least system.segment.size',
    holds: (values) => number(values, 'system.topic.max_size') >= number(values, 'system.segment.size'),
  },
];

const isStarred = (values: MeasuredValues, name: string): boolean => texts(values, `http.cors.${name}`).includes('*');
const CREDENTIALED = ['allowed_origins', 'allowed_headers', 'exposed_headers'];

const CONNECTIONS: CrossRule[] = [
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
    reason: 'can have * as the first entry only',
    holds: (values) => !texts(values, 'http.cors.allowed_origins').slice(1).includes('*'),
  },
  {
    name: 'cookies_need_names',
    keys: ['http.cors.allow_credentials', ...CREDENTIALED.map((name) => `http.cors.${name}`)],
    reason: 'needs origins, allowed headers and exposed headers that are named one by one, without *',
    holds: (values) =>
      values['http.cors.allow_credentials'] !== true || !CREDENTIALED.some((name) => isStarred(values, name)),
  },
];

/** The checks of the server between keys, and where it fails later instead. The first key of a rule is the one to fix. */
export const IGGY_RULES: readonly CrossRule[] = [...MACHINE, ...CONNECTIONS];
