import type { BrokerSetting } from './broker-setting.js';
import { EMBEDDED_SETTINGS } from './embedded-settings.js';
import { NATS_SETTINGS } from './nats-settings.js';
import { embeddedValues, natsValues } from './setting-values.js';

describe('embeddedValues', () => {
  it('fills in defaults and ignores unknown keys', () => {
    const values = embeddedValues({ 'iggy.path': '/x', 'mqtt.max_connections': 7 });

    expect(values['mqtt.max_connections']).toBe(7);
    expect(values['mqtt.keepalive_limit']).toBe(0);
    expect(Object.keys(values)).toEqual(Object.keys(EMBEDDED_SETTINGS));
  });

  it.each([
    ['mqtt.max_connections', 0, 1],
    ['mqtt.max_connections', 1e9, 100_000],
    ['mqtt.max_connections', 2.9, 2],
    ['mqtt.max_connections', '5', 1_000],
    ['mqtt.max_connections', Number.NaN, 1_000],
    ['http.enabled', 0, true],
    ['http.enabled', false, false],
  ] as const)('reads %s = %j as %j', (name, input, value) => {
    expect(embeddedValues({ [name]: input })[name]).toBe(value);
  });

  it('keeps a fixed value', () => {
    expect(natsValues({ 'mqtt.max_qos': 2 })['mqtt.max_qos']).toBe(1);
  });

  it('has defaults within their own ranges', () => {
    const settings: BrokerSetting[] = [...Object.values(EMBEDDED_SETTINGS), ...Object.values(NATS_SETTINGS)];
    for (const { default: value, min, max } of settings) {
      if (typeof value !== 'number' || (min === undefined && max === undefined)) continue;
      expect(value).toBeGreaterThanOrEqual(min ?? Number.NaN);
      expect(value).toBeLessThanOrEqual(max ?? Number.NaN);
    }
  });
});
