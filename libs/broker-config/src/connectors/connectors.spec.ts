import type { ConnectorType } from '@libs/domain';
import { MASK } from '../mask.js';
import {
  BUILT_IN_VERSION,
  connectorCatalogue,
  connectorPlugin,
  isInstalledVersion,
  runsAsPlugin,
  type CatalogueNodes,
  type ConnectorPlugin,
} from './connector-catalogue.js';
import { connectorSchema } from './connector-schema.js';
import {
  NEW_CONNECTOR,
  changedConnectorKeys,
  connectorValues,
  maskConnector,
  withKeptConnectorSecrets,
} from './connector-values.js';
import { secretsElsewhere } from './secrets-elsewhere.js';
import { validateConnector } from './validate-connector.js';

const EMBEDDED: CatalogueNodes = { driver: 'embedded', release: '1.2.0' };
const LIBRARIES = ['sink:http', 'sink:iceberg', 'sink:stdout', 'source:random'];
const IGGY: CatalogueNodes = { driver: 'iggy', release: '0.8.0', libraries: LIBRARIES };

const plugin = (type: ConnectorType, key: string): ConnectorPlugin => {
  const plugin = connectorPlugin(EMBEDDED, type, key);
  if (!plugin) throw new TypeError(`${type} ${key} is not in the catalogue`);
  return plugin;
};
const STREAM = { stream: 'orders', topics: ['new'] };
const faults = (one: ConnectorPlugin, values: object): string[] =>
  validateConnector(one, { ...values }).map(({ pointer, code }) => `${pointer} ${code}`);

const BUILT_IN = [
  ...['sink:clickhouse', 'sink:elasticsearch', 'sink:http', 'sink:influxdb', 'sink:meilisearch', 'sink:mongodb'],
  ...['sink:postgres', 'sink:quickwit', 'sink:s3', 'sink:stdout', 'source:postgres', 'source:random'],
];

describe('the catalogue of connectors', () => {
  it('has eighteen plugins, each with a name, a description and its own keys', () => {
    const all = connectorCatalogue(EMBEDDED);

    expect(all.length).toBe(18);
    expect(new Set(all.map(({ type, key }) => `${type}:${key}`)).size).toBe(18);
    for (const one of all) {
      expect(one.name.length * one.description.length).toBeGreaterThan(0);
      expect(Object.keys(one.settings).length).toBeGreaterThan(0);
      expect(one.version).toMatch(/^\d+\.\d+\.\d+/);
    }
  });

  it.each([
    [EMBEDDED, BUILT_IN],
    [{ driver: 'nats', release: '2.9.10' }, BUILT_IN],
    [{ driver: 'iggy', release: '0.8.0' }, BUILT_IN],
    [IGGY, [...BUILT_IN, 'sink:iceberg'].sort()],
  ] as const)('lists the connectors of nodes with %o', (nodes, expected) => {
    const available = connectorCatalogue(nodes).filter((one) => one.available);

    expect(available.map(({ type, key }) => `${type}:${key}`).sort()).toEqual(expected);
  });

  it('says what runs a connector: a library that is there, or Landlord where messages could be lost', () => {
    const runtimes = (nodes: CatalogueNodes) =>
      Object.fromEntries(
        connectorCatalogue(nodes)
          .filter((one) => one.available)
          .map(({ type, key, runtime, version }) => [`${type}:${key}`, `${runtime} ${version}`]),
      );

    expect(runtimes(IGGY)).toMatchObject({
      ...{ 'source:random': 'plugin 0.4.0', 'sink:stdout': 'plugin 0.4.0', 'sink:iceberg': 'plugin 0.4.0' },
      ...{ 'sink:http': `landlord ${BUILT_IN_VERSION}`, 'source:postgres': `landlord ${BUILT_IN_VERSION}` },
    });
    for (const nodes of [EMBEDDED, { ...IGGY, libraries: [] }, { ...EMBEDDED, libraries: LIBRARIES }])
      expect(new Set(Object.values(runtimes(nodes)))).toEqual(new Set([`landlord ${BUILT_IN_VERSION}`]));
    expect(['0.4.0', '0.5.0-edge.4', BUILT_IN_VERSION].map((version) => runsAsPlugin('iggy', version))).toEqual([
      ...[true, true, false],
    ]);
  });

  it('says why nodes with Apache Iggy 0.8 lack a connector', () => {
    expect(connectorPlugin(IGGY, 'source', 'influxdb')?.unavailableReason).toContain('not have the library');
    expect(connectorPlugin(IGGY, 'sink', 'doris')?.unavailableReason).toContain('Release 0.8.0 of the broker');
    expect(connectorPlugin(IGGY, 'sink', 'carrier_pigeon')).toBeNull();
  });

  it('knows both versions of a connector on nodes with Apache Iggy as installed', () => {
    const installed = (nodes: CatalogueNodes, version: string) =>
      isInstalledVersion(nodes, 'source', 'random', version);

    expect(['0.4.0', BUILT_IN_VERSION, '1.0.0'].map((version) => installed(IGGY, version))).toEqual([
      true,
      true,
      false,
    ]);
    expect(['0.4.0', BUILT_IN_VERSION].map((version) => installed(EMBEDDED, version))).toEqual([false, true]);
    expect(isInstalledVersion(IGGY, '', '', '0.8.0')).toBe(true);
  });

  it('refuses an empty range of messages for the library, which panics on it, and takes it elsewhere', () => {
    const values = (messages_range: number[]) => ({ plugin_config: { messages_range } });
    const library = connectorPlugin(IGGY, 'source', 'random');

    expect(
      library &&
        [
          [10, 10],
          [11, 10],
          [10, 11],
        ].map((range) => faults(library, values(range))),
    ).toEqual([...[['/plugin_config/messages_range rule_broken'], ['/plugin_config/messages_range rule_broken'], []]]);
    expect(faults(plugin('source', 'random'), values([10, 10]))).toEqual([]);
    const [, config] = connectorSchema(library ?? plugin('source', 'random'));
    expect(config?.schema.find(({ key }) => key === 'messages_range')?.rules).toContainEqual({
      rule: 'each_larger_than',
      value: 'the number before',
    });
  });

  it('has defaults that pass its own rules', () => {
    for (const one of connectorCatalogue(IGGY)) {
      const defaults = Object.entries(one.settings).map(([key, setting]) => [key, setting.default]);
      expect([one.key, faults(one, { plugin_config: Object.fromEntries(defaults) })]).toEqual([one.key, []]);
    }
  });
});

describe('the schema of a connector', () => {
  it('has one section for its type and one for its plugin', () => {
    const [base, config] = connectorSchema(plugin('sink', 'http'));

    expect(base?.key).toBe('sink');
    expect(base?.schema.map(({ key }) => key)).toEqual([
      ...['enabled', 'streams[].stream', 'streams[].topics', 'streams[].schema', 'streams[].batch_length'],
      ...['streams[].poll_interval', 'streams[].consumer_group', 'transforms', 'dead_letter_topic'],
    ]);
    expect(config?.key).toBe('plugin_config');
    expect(config?.schema.find(({ key }) => key === 'headers')).toMatchObject({
      ...{ kind: 'map', secret: true, default_value: MASK, restart_required: true },
    });
    expect(config?.schema.find(({ key }) => key === 'url')?.rules).toContainEqual({
      rule: 'required',
      value: 'while the connector is enabled',
    });
  });

  it('differs by type: a source writes to one topic', () => {
    const [base] = connectorSchema(plugin('source', 'random'));

    expect(base?.key).toBe('source');
    expect(base?.schema.map(({ key }) => key)).not.toContain('streams[].poll_interval');
    expect(base?.schema.find(({ key }) => key === 'streams[].topics')?.rules).toContainEqual({
      rule: 'maximum_entries',
      value: 1,
    });
  });

  it('contains the value of another key that makes a key required', () => {
    const [, config] = connectorSchema(plugin('sink', 'influxdb'));

    expect(config?.schema.find(({ key }) => key === 'bucket')?.requirements).toEqual([
      { key: 'plugin_config.version', value: 'v2' },
    ]);
  });
});

describe('values of a connector', () => {
  it('have no key without an effect on the nodes, except one that the schema calls ignored', () => {
    const stream = { ...STREAM, consumer_group: 'group', linger_time: '5ms' };
    const config = { max_connections: 2, include_origin_timestamp: true };

    expect(faults(plugin('sink', 'http'), { streams: [stream], plugin_config: config })).toEqual([
      '/streams/0/linger_time unknown_key',
      '/plugin_config/max_connections unknown_key',
      '/plugin_config/include_origin_timestamp unknown_key',
    ]);
    expect(faults(plugin('source', 'random'), { streams: [{ ...STREAM, linger_time: '5ms' }] })).toEqual([
      '/streams/0/linger_time unknown_key',
    ]);
    const library = connectorPlugin(IGGY, 'sink', 'stdout');
    expect(library && faults(library, { streams: [{ ...STREAM, consumer_group: 'g' }] })).toEqual([]);
    const httpSink = connectorPlugin(IGGY, 'sink', 'http');
    expect(httpSink && faults(httpSink, { streams: [{ ...STREAM, consumer_group: 'g' }] })).toEqual([]);
    const ignored = (one: ConnectorPlugin | null) =>
      one &&
      connectorSchema(one)
        .flatMap(({ schema }) => schema)
        .find(({ key }) => key === 'streams[].consumer_group')
        ?.rules.filter(({ rule }) => rule === 'ignored_by');
    expect([ignored(library), ignored(httpSink)]).toEqual([[], [{ rule: 'ignored_by', value: 'landlord' }]]);
  });

  it('let no sink read the dead letters of sinks', () => {
    expect(faults(plugin('sink', 'http'), { streams: [{ ...STREAM, stream: 'dead_letters' }] })).toEqual([
      '/streams/0/stream not_in_format',
    ]);
    expect(faults(plugin('sink', 'http'), { dead_letter_topic: 'orders' })).toEqual([]);
    expect(faults(plugin('source', 'random'), { dead_letter_topic: 'orders' })).toEqual([
      '/dead_letter_topic unknown_key',
    ]);
  });

  it('are valid initially', () => {
    for (const one of connectorCatalogue(IGGY)) expect(faults(one, NEW_CONNECTOR)).toEqual([]);
    expect(connectorValues({ enabled: true })).toEqual({ ...NEW_CONNECTOR, enabled: true });
  });

  it('need a stream and the required keys of the plugin when they are enabled', () => {
    expect(faults(plugin('sink', 'http'), { enabled: true })).toEqual([
      '/streams required',
      '/plugin_config/url required',
    ]);
    expect(
      faults(plugin('sink', 'influxdb'), { enabled: true, streams: [STREAM], plugin_config: { version: 'v3' } }),
    ).toEqual(['/plugin_config/url required', '/plugin_config/token required', '/plugin_config/db required']);
    expect(faults(plugin('sink', 's3'), { plugin_config: { file_rotation: 'messages' } })).toEqual([]);
    expect(
      faults(plugin('sink', 's3'), {
        ...{ enabled: true, streams: [STREAM] },
        plugin_config: { bucket: 'b', region: 'r', file_rotation: 'messages' },
      }),
    ).toEqual([
      '/plugin_config/access_key_id required',
      '/plugin_config/secret_access_key required',
      '/plugin_config/max_messages_per_file required',
    ]);
  });

  it('report all faults at once, each with its place', () => {
    const values = {
      ...{
        enabled: 'yes',
        colour: 'red',
        transforms: { turn_around: {}, add_fields: 3, delete_fields: {}, proto_convert: {} },
      },
      streams: [STREAM, { stream: 'a/b', topics: [], poll_interval: 'soon', linger_time: '5ms' }, 7],
      plugin_config: {
        ...{ url: 'ftp://x', method: 'TELL', headers: { a: 1 }, success_status_codes: [20], max_retries: 1.5 },
        ...{ timeout: '0 s', no_such: 1 },
      },
    };

    expect(faults(plugin('sink', 'http'), values)).toEqual([
      '/enabled wrong_type',
      '/colour unknown_key',
      '/transforms/turn_around unknown_key',
      '/transforms/add_fields wrong_type',
      '/transforms/delete_fields/enabled required',
      '/transforms/proto_convert unknown_key',
      '/streams/1/stream not_in_format',
      '/streams/1/topics too_short',
      '/streams/1/poll_interval wrong_type',
      '/streams/1/linger_time unknown_key',
      '/streams/2 wrong_type',
      '/plugin_config/url not_in_format',
      '/plugin_config/method not_one_of',
      '/plugin_config/headers wrong_type',
      '/plugin_config/success_status_codes below_minimum',
      '/plugin_config/max_retries not_an_integer',
      '/plugin_config/timeout below_minimum',
      '/plugin_config/no_such unknown_key',
    ]);
  });

  it.each([
    ['two topics', { stream: 's', topics: ['a', 'b'] }, '/streams/0/topics too_long'],
    ['a consumer group', { ...STREAM, consumer_group: 'g' }, '/streams/0/consumer_group unknown_key'],
    ['no topic', { stream: 's' }, '/streams/0/topics required'],
  ])('of a source refuse a stream with %s', (_, stream, fault) => {
    expect(faults(plugin('source', 'random'), { streams: [stream] })).toEqual([fault]);
  });

  it('refuse user and password in an address, because an address is not masked', () => {
    const config = (url: string) => ({ plugin_config: { url } });

    expect(faults(plugin('sink', 'http'), config('https://me:pass@service.example/x'))).toEqual([
      '/plugin_config/url not_in_format',
    ]);
    expect(faults(plugin('sink', 'http'), config('https://service.example/x?at=noon'))).toEqual([]);
  });

  it('are safe against any nesting', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`) as object;

    expect(faults(plugin('source', 'elasticsearch'), { plugin_config: { query: deep } })).toEqual([
      ' too_long',
      '/plugin_config/query too_long',
    ]);
    const sink = plugin('sink', 'http');
    const restored = withKeptConnectorSecrets(sink, { plugin_config: { headers: deep } }, {});
    expect(faults(sink, restored.values)).toEqual([' too_long', '/plugin_config/headers wrong_type']);
  });

  it('are limited in total, because one document contains all connectors', () => {
    const streams = Array.from({ length: 60 }, () => ({ stream: 's'.repeat(200), topics: ['t'.repeat(200)] }));

    expect(faults(plugin('sink', 'stdout'), { streams })).toEqual([' too_long']);
  });

  it('show masks instead of secrets, and the names of headers', () => {
    const sink = plugin('sink', 'http');
    const values = {
      plugin_config: { url: 'https://a.example', headers: { authorization: 'Bearer x' }, unknown: 'y' },
    };

    expect(maskConnector(sink, values)).toEqual({
      plugin_config: { url: 'https://a.example', headers: { authorization: MASK }, unknown: MASK },
    });
  });

  it('keep only stored secrets when masks are sent back', () => {
    const sink = plugin('sink', 'http');
    const stored = { plugin_config: { headers: { authorization: 'Bearer x' } } };
    const update = { plugin_config: { headers: { authorization: MASK, cookie: MASK } } };

    const { values, issues } = withKeptConnectorSecrets(sink, update, stored);

    expect(values).toMatchObject({ plugin_config: { headers: { authorization: 'Bearer x' } } });
    expect(issues).toMatchObject([{ pointer: '/plugin_config/headers/cookie', code: 'no_secret_kept' }]);
    const postgres = plugin('sink', 'postgres');
    const mask = { plugin_config: { connection_string: MASK } };
    expect(withKeptConnectorSecrets(postgres, mask, {}).issues).toMatchObject([
      { pointer: '/plugin_config/connection_string' },
    ]);
    expect(
      withKeptConnectorSecrets(postgres, mask, { plugin_config: { connection_string: 'postgres://x' } }).values,
    ).toEqual({ plugin_config: { connection_string: 'postgres://x' } });
  });

  it('do not keep a secret when any address of the plugin changes its origin', () => {
    const http = plugin('sink', 'http');
    const of = (url: unknown, headers: object = { authorization: MASK }) => ({ plugin_config: { url, headers } });
    const stored = of('https://a.example/in', { authorization: 'Bearer x' });

    expect(secretsElsewhere(http, of('https://a.example:443/other?x'), stored)).toBeNull();
    expect(secretsElsewhere(http, of('https://b.example', { authorization: 'mine' }), stored)).toBeNull();
    for (const url of ['https://b.example/in', 'https://a.example:8443/in', 'http://a.example/in', undefined])
      expect(secretsElsewhere(http, of(url), stored)).toBe('url');
    expect(secretsElsewhere(http, of('https://a.example'), { plugin_config: {} })).toBe('url');
    const search = plugin('sink', 'elasticsearch');
    const moved = { plugin_config: { url: 'https://b.example', password: MASK } };
    expect(secretsElsewhere(search, moved, { plugin_config: { url: 'https://a.example', password: 'x' } })).toBe('url');
  });

  it('are compared with masked secrets', () => {
    const postgres = plugin('sink', 'postgres');
    const of = (connection_string: string) => ({ ...NEW_CONNECTOR, plugin_config: { connection_string } });

    expect(changedConnectorKeys(postgres, of('a'), of('a'))).toEqual([]);
    expect(changedConnectorKeys(postgres, of('a'), of('b'))).toEqual([
      { key: 'plugin_config.connection_string', from: MASK, to: MASK, secret: true, restart_required: true },
    ]);
  });
});
