import type { BrokerDriver } from '@libs/domain';
import { brokerSchema } from './broker-schema.js';
import type { SchemaEntry } from './schema-entry.js';
import { brokerSettings, hasSettings } from './broker-tables.js';
import { compareReleases } from './compare-releases.js';
import { validateValues } from './validate-values.js';

const entries = (driver: BrokerDriver, release: string): SchemaEntry[] =>
  brokerSchema(driver, release).flatMap(({ schema }) => schema);

describe('brokerSchema', () => {
  it.each([
    ['embedded', '1.2.0'],
    ['nats', '2.9.10'],
    ['iggy', '0.8.0'],
  ] as const)('describes every key of %s once, in its section, with at least five editable keys', (driver, release) => {
    const all = entries(driver, release);

    const keys = brokerSchema(driver, release).flatMap(({ key: section, schema }) =>
      schema.map(({ key }) => (key === section ? key : `${section}.${key}`)),
    );
    expect(keys.sort()).toEqual(Object.keys(brokerSettings(driver, release)).sort());
    for (const { description } of [...brokerSchema(driver, release), ...all]) expect(description).not.toBe('');
    expect(all.filter(({ editable }) => editable).length).toBeGreaterThanOrEqual(5);
  });

  it('describes a key in the shape of the contract', () => {
    expect(entries('nats', '2.9.10').find(({ key }) => key === 'ack_wait')).toEqual({
      key: 'ack_wait',
      name: 'Ack wait',
      description: expect.stringContaining('sent again'),
      default_value: 30,
      kind: 'integer',
      unit: 'seconds',
      owner: 'user',
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

  it('depends on the release', () => {
    const maxQos = (release: string) => entries('nats', release).find(({ key }) => key === 'max_qos');

    expect(maxQos('2.9.10')).toMatchObject({ default_value: 1, editable: false });
    expect(maxQos('2.10.0')).toMatchObject({ default_value: 2, editable: false });
    expect(maxQos('2.11.4')).toMatchObject({ default_value: 2 });
  });

  it('uses the newest table for a release newer than all', () => {
    expect(brokerSettings('nats', '2.11.0')).toBe(brokerSettings('nats', '2.10.0'));
    expect(brokerSettings('nats', '3.0.0')).toBe(brokerSettings('nats', '2.10.0'));
  });

  it.each(['0.7.9', '0.8', '0.8.0-edge.1', '0.8.0.1', 'v0.8.0', '0.9.0', '0.9.0-edge.4', '0.10.0', '1.0.0', ''])(
    'has no keys for release %j of iggy, which has no table of its line',
    (release) => {
      expect(hasSettings('iggy', release)).toBe(false);
      expect(brokerSchema('iggy', release)).toEqual([]);
      expect(validateValues('iggy', release, { 'heartbeat.enabled': true })).toMatchObject([{ code: 'unknown_key' }]);
    },
  );

  it('has the same keys for all stable releases of a line of iggy', () => {
    expect(hasSettings('iggy', '0.8.0')).toBe(true);
    expect(brokerSettings('iggy', '0.8.12')).toBe(brokerSettings('iggy', '0.8.0'));
  });

  it('contains the owner, the requirements and the rules of an iggy key', () => {
    const sections = brokerSchema('iggy', '0.8.0');
    const find = (section: string, key: string) =>
      sections.find((one) => one.key === section)?.schema.find((one) => one.key === key);

    expect(find('http', 'jwt.encoding_secret')).toMatchObject({
      ...{ owner: 'plane', editable: false, secret: true, default_value: '********' },
    });
    expect(find('http', 'cors.allowed_origins')).toMatchObject({
      ...{ kind: 'list', default_value: ['*'], requirements: [{ key: 'http.cors.enabled', value: true }] },
    });
    expect(find('tcp', 'socket.linger')?.requirements).toEqual([{ key: 'tcp.socket.override_defaults', value: true }]);
    expect(find('data_maintenance', 'messages.interval')?.requirements).toEqual([
      { key: 'data_maintenance.messages.cleaner_enabled', value: true },
    ]);
    expect(find('system', 'segment.size')?.rules).toEqual([
      { rule: 'minimum', value: 2 ** 20 },
      { rule: 'maximum', value: 2 ** 30 },
      { rule: 'multiple_of', value: 512 },
      { rule: 'topic_holds_segment', value: 'system.topic.max_size must be at least system.segment.size' },
    ]);
    expect(find('system', 'topic.max_size')?.rules).toContainEqual({ rule: 'or', value: 'unlimited' });
  });

  it('shows a default of Landlord as the default of its key, with the reason', () => {
    const saved = brokerSchema('iggy', '0.8.0')
      .flatMap(({ schema }) => schema)
      .find(({ key }) => key === 'partition.messages_required_to_save');

    expect(saved).toMatchObject({ default_value: 1, editable: false, owner: 'plane' });
    expect(saved?.description).toMatch(/a crash loses none\. The default of the broker is 1024\.$/);
  });
});

describe('compareReleases', () => {
  it.each([
    ['2.9.10', '2.10.0', -1],
    ['2.10.0', '2.9.10', 1],
    ['v2.9.10', '2.9.10', 0],
    ['2.9', '2.9.0', 0],
    ['2.10.0-rc1', '2.10.0', 0],
  ])('compares %s and %s: %d', (left, right, sign) => {
    expect(Math.sign(compareReleases(left, right))).toBe(sign);
  });
});
