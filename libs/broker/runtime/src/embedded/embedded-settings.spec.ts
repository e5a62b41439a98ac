import { EMBEDDED_SETTINGS, embeddedValues, type EmbeddedSetting } from './embedded-settings.js';

describe('embeddedValues', () => {
  it('fills in defaults and ignores keys which it does not know', () => {
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
  ] as const)('takes %s = %p as %p', (name, given, taken) => {
    expect(embeddedValues({ [name]: given })[name]).toBe(taken);
  });

  it('has defaults within their own ranges', () => {
    const settings: EmbeddedSetting[] = Object.values(EMBEDDED_SETTINGS);
    for (const { default: value, min, max } of settings) {
      if (typeof value !== 'number') continue;
      expect(value).toBeGreaterThanOrEqual(min ?? Number.NaN);
      expect(value).toBeLessThanOrEqual(max ?? Number.NaN);
    }
  });
});
