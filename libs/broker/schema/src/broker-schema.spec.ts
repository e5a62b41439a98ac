import { BROKER_DRIVERS } from '@libs/domain';
import { brokerSchema, brokerSettings, type SchemaEntry } from './broker-schema.js';
import { compareReleases } from './compare-releases.js';

const entries = (driver: 'nats' | 'embedded', release: string): SchemaEntry[] =>
  brokerSchema(driver, release).flatMap(({ schema }) => schema);

describe('brokerSchema', () => {
  it.each([
    ['embedded', '1.2.0'],
    ['nats', '2.9.10'],
  ] as const)('describes every key of %s once, in its section, with at least five to edit', (driver, release) => {
    const all = entries(driver, release);

    expect(all.map(({ key }) => key).sort()).toEqual(Object.keys(brokerSettings(driver, release)).sort());
    for (const { name, description, schema } of brokerSchema(driver, release)) {
      expect(description).not.toBe('');
      for (const { key } of schema) expect(key.startsWith(`${name}.`)).toBe(true);
    }
    expect(all.filter(({ editable }) => editable).length).toBeGreaterThanOrEqual(5);
  });

  it('describes a key in the shape of the contract', () => {
    expect(entries('nats', '2.9.10').find(({ key }) => key === 'mqtt.ack_wait')).toEqual({
      key: 'mqtt.ack_wait',
      name: 'Ack wait',
      description: expect.stringContaining('sent again'),
      default_value: 30,
      kind: 'integer',
      unit: 'seconds',
      editable: true,
      secret: false,
      requirements: [],
      rules: [
        { rule: 'minimum', value: 1 },
        { rule: 'maximum', value: 3_600 },
      ],
      restart_required: true,
    });
  });

  it('tells by the release what a broker can do', () => {
    const maxQos = (release: string) => entries('nats', release).find(({ key }) => key === 'mqtt.max_qos');

    expect(maxQos('2.9.10')).toMatchObject({ default_value: 1, editable: false });
    expect(maxQos('2.10.0')).toMatchObject({ default_value: 2, editable: false });
    expect(maxQos('2.11.4')).toMatchObject({ default_value: 2 });
  });

  it('has no keys for a driver that is not carried', () => {
    expect(BROKER_DRIVERS.filter((driver) => brokerSchema(driver, '1.0.0').length === 0)).toEqual(['iggy']);
  });
});

describe('compareReleases', () => {
  it.each([
    ['2.9.10', '2.10.0', -1],
    ['2.10.0', '2.9.10', 1],
    ['v2.9.10', '2.9.10', 0],
    ['2.9', '2.9.0', 0],
    ['2.10.0-rc1', '2.10.0', 0],
  ])('orders %s and %s: %d', (left, right, sign) => {
    expect(Math.sign(compareReleases(left, right))).toBe(sign);
  });
});
