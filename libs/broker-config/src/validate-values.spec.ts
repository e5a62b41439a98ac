import { EMBEDDED_SETTINGS } from './embedded-settings.js';
import { NATS_SETTINGS } from './nats-settings.js';
import { validateValues, withDefaults } from './validate-values.js';

describe('validateValues', () => {
  it.each([
    ['nats', '2.9.10', NATS_SETTINGS],
    ['embedded', '1.2.0', EMBEDDED_SETTINGS],
  ] as const)('accepts all defaults of %s, and an empty object', (driver, release, settings) => {
    const defaults = withDefaults(driver, release, {});

    expect(Object.keys(defaults)).toEqual(Object.keys(settings));
    expect(validateValues(driver, release, defaults)).toEqual([]);
    expect(validateValues(driver, release, {})).toEqual([]);
  });

  it.each([
    ['mqtt.ack_wait', '30', 'wrong_type', 'This must be a number.'],
    ['mqtt.ack_wait', null, 'wrong_type', 'This must be a number.'],
    ['mqtt.ack_wait', 1.5, 'not_an_integer', 'This must be a whole number.'],
    ['mqtt.ack_wait', Number.NaN, 'not_an_integer', 'This must be a whole number.'],
    ['mqtt.ack_wait', 0, 'below_minimum', 'This must be at least 1 seconds.'],
    ['mqtt.ack_wait', 3_601, 'above_maximum', 'This must be at most 3600 seconds.'],
    ['mqtt.max_connections', 0, 'below_minimum', 'This must be at least 1.'],
    ['http.enabled', 1, 'wrong_type', 'This must be a boolean.'],
    ['mqtt.max_qos', 2, 'not_editable', 'This is 1 and cannot be changed.'],
    ['mqtt.no_such', 1, 'unknown_key', 'nats 2.9.10 has no such key.'],
    ['toString', 1, 'unknown_key', 'nats 2.9.10 has no such key.'],
  ])('refuses %s = %j: %s', (key, value, code, reason) => {
    expect(validateValues('nats', '2.9.10', { [key]: value })).toEqual([{ pointer: `/${key}`, code, reason }]);
  });

  it('accepts nested and dotted sections, and points at the written values', () => {
    const good = { http: { enabled: false }, mqtt: { ack_wait: 5 }, 'websocket.enabled': true };
    expect(validateValues('nats', '2.9.10', good)).toEqual([]);
    expect(validateValues('nats', '2.9.10', { mqtt: {}, http: {} })).toEqual([]);

    const bad = {
      mqtt: { ack_wait: 0, none: 1 },
      mqqt: {},
      'mqtt.ack_wait': 5,
      http: { enabled: { deep: { er: {} } } },
    };
    expect(validateValues('nats', '2.9.10', bad).map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/mqtt/ack_wait', 'below_minimum'],
      ['/mqtt/none', 'unknown_key'],
      ['/mqqt', 'unknown_key'],
      ['/mqtt.ack_wait', 'duplicate_key'],
      ['/http/enabled/deep/er', 'unknown_key'],
    ]);
  });

  it('stops at deep nesting', () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };

    expect(validateValues('nats', '2.9.10', deep)).toMatchObject([{ pointer: '/a/a/a/a', code: 'unknown_key' }]);
  });

  it('reports every issue with a JSON pointer', () => {
    const issues = validateValues('nats', '2.9.10', { 'a/b~c': 1, 'mqtt.ack_wait': 10, 'http.enabled': 'no' });

    expect(issues.map(({ pointer }) => pointer)).toEqual(['/a~1b~0c', '/http.enabled']);
  });

  it('accepts a fixed value that is sent back', () => {
    expect(validateValues('nats', '2.9.10', { 'mqtt.max_qos': 1 })).toEqual([]);
  });

  it('refuses a key of another driver', () => {
    expect(validateValues('embedded', '1.2.0', { 'mqtt.ack_wait': 10 })).toMatchObject([{ code: 'unknown_key' }]);
  });
});

describe('withDefaults', () => {
  it('keeps given values', () => {
    expect(withDefaults('nats', '2.9.10', { 'mqtt.ack_wait': 5 })).toMatchObject({
      'mqtt.ack_wait': 5,
      'mqtt.max_connections': 1_000,
    });
  });
});
