import type { NodeSpec } from '@libs/domain';
import { parse } from 'smol-toml';
import { brokerSettings, validateWritten } from '@libs/broker-config';
import { BrokerError } from '../../../control/broker-error.js';
import { cpuAllocation } from './iggy-config-cpus.js';
import { IGGY_ROOT, renderIggy } from './iggy-config.js';

const home = { dir: '/nodes/7', installation: 'test', nodeId: 7 };
const node = { rootPassword: 'of-the-agent', replicaSecret: 'of-the-cluster', cpus: 2 };

function aSpec(values: Record<string, unknown> = {}, version = '0.8.0', more: Partial<NodeSpec> = {}): NodeSpec {
  return {
    ...{ node_id: 7, deployment_id: 3, name: 'node-1', access_rules: [] },
    broker: { driver: 'iggy', version, want: 'running', config: { id: 1, version: 1, values }, restart: 0 },
    listen: { address: '10.0.0.5', ports: { tcp: 20_000, http: 20_001, websocket: 20_002, udp: null }, peer: null },
    cluster: { size: 1, ordinal: 1, leader: null, secret: 'a secret of the deployment alone' },
    credentials: { username: 'broker-1', password: 'pass-word', version: 1 },
    ...more,
  };
}

const limited = (memory_mib: number, values: Record<string, unknown> = {}): NodeSpec => {
  const spec = aSpec(values);
  return { ...spec, broker: { ...spec.broker, limits: { memory_mib, storage_mib: 1 } } };
};
const rendered = (spec: NodeSpec, cpus = 2) => renderIggy(home, spec, { ...node, cpus }).rendered;

describe('The configuration of an iggy node', () => {
  it('contains the values of users, the defaults of Landlord and the values of the node, without a secret', () => {
    const values = {
      'heartbeat.interval': '1 m',
      'http.cors.allowed_origins': ['https://a.example'],
      'quic.enabled': true,
    };

    expect(renderIggy(home, aSpec(values), node).config).toBe(`[heartbeat]
interval = "1 m"

[http]
address = "127.0.0.1:0"
enabled = true

[http.cors]
allowed_origins = ["https://a.example"]
enabled = false

[http.jwt]
trusted_issuers = []

[http.metrics]
endpoint = "/metrics"

[quic]
address = "127.0.0.1:0"
enabled = false

[system]
path = "/nodes/7/data"

[system.logging]
file_enabled = true
max_file_size = "50 MB"
max_total_size = "500 MB"

[system.partition]
enforce_fsync = true
messages_required_to_save = 1

[system.runtime]
path = "runtime/server"

[system.sharding]
cpu_allocation = "2"

[system.state]
enforce_fsync = true

[tcp]
address = "127.0.0.1:0"
enabled = true

[telemetry]
enabled = false

[websocket]
address = "127.0.0.1:0"
`);
  });

  it('puts the root user and the key of the stored data into the environment, and no secret of a client or configuration into any file', () => {
    const encryption = { key: 'a key for stored data' };
    const spec = aSpec({ 'http.jwt.encoding_secret': 'mine', 'system.encryption.key': 'mine' });
    const { config, environment } = renderIggy(home, { ...spec, broker: { ...spec.broker, encryption } }, node);

    expect(config).toContain('[system.encryption]\nenabled = true\n');
    expect(environment).toBe(
      [
        'IGGY_DISPLAY_CONFIG="false"',
        'IGGY_ROOT_PASSWORD="of-the-agent"',
        `IGGY_ROOT_USERNAME="${IGGY_ROOT}"`,
        'IGGY_SYSTEM_ENCRYPTION_KEY="a key for stored data"',
        '',
      ].join('\n'),
    );
    for (const secret of ['of-the-agent', 'pass-word', 'broker-1', 'a secret of', 'mine', 'a key for', '_secret'])
      expect(config).not.toContain(secret);
    expect(renderIggy(home, aSpec(), { ...node, rootPassword: 'a"b$c\\d' }).environment).toContain(
      String.raw`IGGY_ROOT_PASSWORD="a\"b\$c\\d"`,
    );
  });

  it('omits values that the server would refuse, and protects the values of the control plane', () => {
    const values = {
      ...{ 'tcp.address': '0.0.0.0:8090', 'http.enabled': false, 'heartbeat.interval': 'soon', 'no.such': 1 },
      ...{ 'websocket.read_buffer_size': null, 'system.path': '/etc', 'telemetry.enabled': true },
      ...{ 'system.partition.messages_required_to_save': 1_000, 'system.state.enforce_fsync': false },
      ...{ 'http.metrics.endpoint': '/stats', 'quic.stream_receive_window': '1 MiB', toString: 'x' },
    };

    expect(renderIggy(home, aSpec(values), node)).toEqual(renderIggy(home, aSpec(), node));
  });

  it('lists all keys that it contains, each a key of the release', () => {
    const { config, rendered: keys } = renderIggy(home, limited(4_096, { 'websocket.max_frame_size': '1 MiB' }), node);
    const settings = brokerSettings('iggy', '0.8.0');

    expect(Object.keys(keys).filter((key) => !Object.hasOwn(settings, key))).toEqual([]);
    expect(keys).toMatchObject({ 'websocket.max_frame_size': '1 MiB', 'system.memory_pool.size': '2048 MiB' });
    expect(config.match(/ = /g)).toHaveLength(Object.keys(keys).length);
  });

  it('offers only the protocols that have a port', () => {
    const spec = aSpec({ 'websocket.enabled': true });
    const ports = { tcp: 20_000, http: 20_001, websocket: null, udp: 20_003 };

    expect(rendered({ ...spec, listen: { ...spec.listen, ports } })).toMatchObject({ 'websocket.enabled': false });
    expect(rendered({ ...spec, listen: { ...spec.listen, ports } })).not.toHaveProperty(['quic.enabled']);
  });

  it("uses half of the node's memory for buffers by default, and no pool when that is too little", () => {
    expect(rendered(limited(4_096))).toMatchObject({ 'system.memory_pool.size': '2048 MiB' });
    expect(rendered(limited(4_096, { 'system.memory_pool.size': '1 GiB' }))).toMatchObject({
      'system.memory_pool.size': '1 GiB',
    });
    expect(rendered(limited(1_023))).toMatchObject({ 'system.memory_pool.enabled': false });
    expect(rendered(limited(1_024))).toMatchObject({ 'system.memory_pool.size': '512 MiB' });
  });

  it.each([
    ['all', 4, '4'],
    ['all', 1.5, '1'],
    ['all', 0.25, '1'],
    ['3', 4, '3'],
    ['9999', 4, '4'],
    ['0..2', 4, '0..2'],
    ['2..9', 4, '2..4'],
    ['4..8', 4, '4'],
    ['numa:auto', 2, '2'],
  ])('uses the CPUs %s of a node with %d CPUs as %s', (setting, cpus, used) => {
    expect(cpuAllocation(setting, cpus)).toBe(used);
    const written = [{ key: 'system.sharding.cpu_allocation', value: setting, pointer: '' }];
    const isValid = validateWritten('iggy', '0.8.0', written).length === 0;
    expect(rendered(aSpec({ 'system.sharding.cpu_allocation': setting }), cpus)).toMatchObject({
      'system.sharding.cpu_allocation': isValid ? used : String(Math.max(1, Math.floor(cpus))),
    });
  });

  it('has a hash that changes exactly when a restart is necessary', () => {
    const spec = aSpec();
    const hashOf = (one: NodeSpec, more = {}) => renderIggy(home, one, { ...node, ...more }).hash;
    const hash = hashOf(spec);
    const withPassword = { ...spec, credentials: { ...spec.credentials, password: 'other', version: 2 } };

    expect(hashOf(withPassword)).toBe(hash);
    expect(hashOf(spec, { rootPassword: 'other' })).toBe(hash);
    expect(hashOf({ ...spec, access_rules: [] })).toBe(hash);
    expect(hashOf(aSpec({ 'heartbeat.interval': '1 m' }))).not.toBe(hash);
    expect(hashOf(spec, { cpus: 3 })).not.toBe(hash);
    expect(hashOf(aSpec({}, '0.8.1'))).not.toBe(hash);
    expect(hashOf({ ...spec, broker: { ...spec.broker, restart: 1 } })).not.toBe(hash);
  });

  it('is refused for a cluster', () => {
    const cluster = { size: 3, ordinal: 1, leader: null, secret: 'x' };

    expect(() => renderIggy(home, aSpec({}, '0.8.0', { cluster }), node)).toThrow(BrokerError);
  });

  it.each(['0.7.0', '0.8.0-edge.1', '0.9', ''])('is refused for release %j, whose keys are unknown', (version) => {
    expect(() => renderIggy(home, aSpec({}, version), node)).toThrow(BrokerError);
  });
});

describe('The configuration of an iggy node with an unproven release', () => {
  const RELEASE = '0.9.0-edge.5';
  const members = [1, 2, 3].map((ordinal) => ({
    ...{ name: `node-${ordinal}`, host: `10.0.0.${ordinal}`, client_host: `203.0.113.${ordinal}` },
    ports: { tcp: 20_000, http: 20_001, peer: 20_003 },
  }));
  const clustered = (ordinal: number): NodeSpec =>
    aSpec({}, RELEASE, { cluster: { size: 3, ordinal, leader: null, members, secret: 'x' } });

  it('opens HTTP only, on the port of the gate and an address of its own, without values of users', () => {
    const {
      rendered: values,
      config,
      environment,
    } = renderIggy(home, aSpec({ 'heartbeat.interval': '1 m' }, RELEASE), node);

    expect(values).toMatchObject({
      ...{
        'http.address': '127.64.0.7:20001',
        'tcp.enabled': false,
        'websocket.enabled': false,
        'quic.enabled': false,
      },
      'cluster.enabled': false,
    });
    expect(config).not.toContain('heartbeat');
    expect(environment).not.toContain('SHARED_SECRET');
  });

  it('names all members of the cluster with the addresses for clients and for each other, and not their secret', () => {
    const { config, environment } = renderIggy(home, clustered(2), node);

    expect(parse(config)).toMatchObject({
      cluster: {
        ...{ enabled: true, name: 'deployment-3', auth: { enabled: true } },
        nodes: [0, 1, 2].map((replica_id) => ({
          ...{ name: `node-${replica_id + 1}`, replica_id, ip: `10.0.0.${replica_id + 1}` },
          advertised_address: `203.0.113.${replica_id + 1}`,
          ports: { tcp: 20_000, http: 20_001, tcp_replica: 20_003 },
        })),
      },
    });
    expect(environment).toContain('IGGY_CLUSTER_AUTH_SHARED_SECRET="of-the-cluster"');
    expect(config).not.toContain('of-the-cluster');
    const { nodes } = (parse(renderIggy(home, clustered(1), node).config) as { cluster: { nodes: unknown } }).cluster;
    expect(nodes).toEqual((parse(config) as { cluster: { nodes: unknown } }).cluster.nodes);
  });

  it('is refused while the document lacks a member', () => {
    const cluster = { size: 3, ordinal: 1, leader: null, members: members.slice(1), secret: 'x' };

    expect(() => renderIggy(home, aSpec({}, RELEASE, { cluster }), node)).toThrow('names 2 of 3 members');
  });
});
