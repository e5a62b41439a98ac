import type { BrokerDriver } from '@libs/domain';
import { brokerSchema } from './broker-schema.js';
import type { SchemaEntry } from './schema-entry.js';
import { brokerSettings } from './broker-tables.js';
import { compareReleases } from './compare-releases.js';

const entries = (driver: BrokerDriver, release: string): SchemaEntry[] =>
  brokerSchema(driver, release).flatMap(({ schema }) => schema);

describe('brokerSchema', () => {
  it.each([
    ['embedded', '1.2.0'],
    ['nats', '2.9.10'],
    ['iggy', '0.8.0'],
    ['iggy', '0.9.0'],
    ['iggy', '0.10.0'],
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
    expect(brokerSettings('iggy', '0.11.0')).toBe(brokerSettings('iggy', '0.10.0'));
    expect(brokerSettings('iggy', '1.0.0')).toBe(brokerSettings('iggy', '0.10.2'));
    expect(brokerSettings('iggy', '0.9.1')).not.toBe(brokerSettings('iggy', '0.10.0'));
  });

  it('has the keys and defaults of each release line of iggy', () => {
    const of = (release: string, key: string) => brokerSettings('iggy', release)[key]?.default;

    expect(['0.8.0', '0.9.0', '0.10.0'].map((release) => of(release, 'heartbeat.enabled'))).toEqual([
      false,
      true,
      true,
    ]);
    expect(['0.9.0', '0.10.0'].map((release) => of(release, 'sharding.inbox_capacity'))).toEqual([1_024, 65_536]);
    expect(of('0.9.0', 'external_auth.enabled')).toBeUndefined();
    expect(of('0.8.0', 'message_bus.max_batch')).toBeUndefined();
    expect(of('0.8.0', 'sharding.cpu_allocation')).toBe('numa:auto');
  });

  it('contains the owner, the requirements and the rules of an iggy key', () => {
    const sections = brokerSchema('iggy', '0.10.0');
    const find = (section: string, key: string) =>
      sections.find((one) => one.key === section)?.schema.find((one) => one.key === key);

    expect(find('http', 'jwt.encoding_secret')).toMatchObject({ owner: 'plane', editable: false, secret: true });
    expect(find('external_auth', 'url')).toMatchObject({ owner: 'admin', secret: true, default_value: '********' });
    expect(find('http', 'cors.allowed_origins')).toMatchObject({
      ...{ kind: 'list', default_value: ['*'], requirements: [{ key: 'http.cors.enabled', value: true }] },
    });
    expect(find('sharding', 'shutdown_drain_timeout')?.rules).toEqual([
      { rule: 'minimum', value: 1e-6 },
      { rule: 'maximum', value: 600_000 },
      {
        rule: 'poll_within_drain',
        value: 'sharding.shutdown_poll_interval must be at most sharding.shutdown_drain_timeout',
      },
      { rule: 'drain_within_join', value: 'must be at most sharding.shutdown_join_timeout' },
    ]);
    expect(find('data_maintenance', 'messages.interval')?.requirements).toEqual([
      { key: 'data_maintenance.messages.cleaner_enabled', value: true },
    ]);
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
