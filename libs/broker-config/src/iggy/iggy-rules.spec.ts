import { brokerSettings, crossRules } from '../broker-tables.js';
import { validateValues, withDefaults } from '../validate-values.js';
import { BROKEN_RULES } from '../../test/iggy-0.8.fixture.js';
import { IGGY_RULES } from './iggy-rules.js';

const codes = (values: Record<string, unknown>): [string, string][] =>
  validateValues('iggy', '0.8.0', values).map(({ pointer, code }) => [pointer, code]);

describe('The rules between keys of iggy', () => {
  it.each(BROKEN_RULES)('apply %s to a configuration', (name, broken, valid) => {
    const issues = validateValues('iggy', '0.8.0', broken);

    expect(issues.filter(({ reason }) => reason.endsWith(`(${name}).`))).toMatchObject([{ code: 'rule_broken' }]);
    expect(validateValues('iggy', '0.8.0', valid)).toEqual([]);
  });

  it('are all tested', () => {
    expect([...new Set(BROKEN_RULES.map(([name]) => name))].sort()).toEqual(IGGY_RULES.map(({ name }) => name).sort());
    expect(crossRules('iggy', '0.8.0')).toEqual(IGGY_RULES);
  });

  it('accept all defaults, like the type of each key', () => {
    const editable = Object.entries(withDefaults('iggy', '0.8.0', {})).filter(
      ([key]) => brokerSettings('iggy', '0.8.0')[key]?.editable,
    );

    expect(validateValues('iggy', '0.8.0', Object.fromEntries(editable))).toEqual([]);
  });

  it('point at the written key when the other one has its default', () => {
    expect(codes({ 'system.logging': { max_total_size: '1 MB' } })).toEqual([
      ['/system.logging/max_total_size', 'rule_broken'],
    ]);
    expect(codes({ 'system.logging': { max_total_size: 'much' } })).toEqual([
      ['/system.logging/max_total_size', 'wrong_type'],
    ]);
  });
});

describe('A key of iggy', () => {
  it.each([
    ['system.logging.level', 'warn,server=debug', null],
    ['system.logging.level', 'loud', 'not_in_format'],
    ['system.logging.sysinfo_print_interval', '0', null],
    ['system.logging.sysinfo_print_interval', '10 ms', 'below_minimum'],
    ['system.sharding.cpu_allocation', 'all', null],
    ['system.sharding.cpu_allocation', '2', null],
    ['system.sharding.cpu_allocation', '0..4', null],
    ['system.sharding.cpu_allocation', 'numa:auto', 'not_in_format'],
    ['http.jwt.algorithm', 'RS256', 'not_one_of'],
    ['http.cors.allowed_methods', 'GET', 'wrong_type'],
    ['http.cors.allowed_methods', Array.from({ length: 101 }, () => 'GET'), 'too_long'],
    ['websocket.read_buffer_size', null, null],
    ['websocket.read_buffer_size', '0', 'below_minimum'],
    ['http.max_request_size', 2_000_000, 'wrong_type'],
    ['http.max_request_size', '2mb', 'wrong_type'],
    ['system.topic.max_size', 'unlimited', null],
    ['system.topic.max_size', '1 GiB', null],
    ['system.topic.message_expiry', 'never_expire', null],
    ['system.topic.message_expiry', 'disabled', 'below_minimum'],
    ['tcp.address', '127.0.0.1:8090', 'not_editable'],
    ['system.path', 'local_data', 'not_editable'],
    ['system.partition.messages_required_to_save', 2, 'not_editable'],
    ['system.partition.enforce_fsync', true, 'not_editable'],
    ['system.state.enforce_fsync', false, 'not_editable'],
    ['cluster.enabled', true, 'unknown_key'],
    ['path', 'local_data', 'unknown_key'],
  ])('%s = %j is checked: %j', (key, value, code) => {
    expect(codes({ [key]: value }).map(([, one]) => one)).toEqual(code === null ? [] : [code]);
  });
});
