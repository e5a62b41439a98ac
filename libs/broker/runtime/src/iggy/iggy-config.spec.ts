import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeSpec } from '@libs/domain';
import { skippedSuite } from '@libs/testing';
import { BrokerError } from '../broker-error.js';
import { until } from '../../test/embedded.fixture.js';
import { writePrivateFile } from '../private-file.js';
import { renderIggy } from './iggy-config.js';
import { IGGY_FILES } from './iggy-files.js';

const home = { dir: '/nodes/7', installation: 'test', nodeId: 7 };
const SECRET_URL = 'https://user:pa$$"word@login.example';

function aSpec(values: Record<string, unknown> = {}, version = '0.10.0', more: Partial<NodeSpec> = {}): NodeSpec {
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

describe('The configuration of an iggy node', () => {
  it('contains the values of users and of the node, by table, without a secret', () => {
    const values = {
      ...{
        'heartbeat.interval': '1 m',
        'http.cors.allowed_origins': ['https://a.example'],
        'metadata.partitions_max': 9,
      },
      ...{ 'external_auth.enabled': true, 'external_auth.url': SECRET_URL, 'quic.enabled': true },
    };

    expect(renderIggy(home, aSpec(values)).config).toBe(`path = "/nodes/7/data"

[cluster]
enabled = false

[external_auth]
enabled = true

[heartbeat]
interval = "1 m"

[http]
address = "127.0.0.1:0"
enabled = true

[http.cors]
allowed_origins = ["https://a.example"]

[logging]
file_enabled = true

[metadata]
partitions_max = 9

[node]
advertised_address = "10.0.0.5"

[quic]
address = "127.0.0.1:0"
enabled = false

[tcp]
address = "127.0.0.1:0"
enabled = true

[websocket]
address = "127.0.0.1:0"
`);
  });

  it('puts every secret into the environment', () => {
    const { config, environment } = renderIggy(home, aSpec({ 'external_auth.url': SECRET_URL }));

    expect(environment.replace(/[0-9a-f]{64}/g, '<key>')).toBe(
      [
        'IGGY_DISPLAY_CONFIG="false"',
        String.raw`IGGY_EXTERNAL_AUTH_URL="https://user:pa\$\$\"word@login.example"`,
        'IGGY_HTTP_JWT_DECODING_SECRET="<key>"',
        'IGGY_HTTP_JWT_ENCODING_SECRET="<key>"',
        'IGGY_ROOT_PASSWORD="pass-word"',
        'IGGY_ROOT_USERNAME="broker-1"',
        '',
      ].join('\n'),
    );
    for (const secret of ['login.example', 'pass-word', 'a secret of']) expect(config).not.toContain(secret);
  });

  it('matches its release line: the oldest has a separate system table, and lacks the later sections', () => {
    const values = { 'logging.level': 'warn', 'external_auth.enabled': true, 'metadata.partitions_max': 9 };

    const old = renderIggy(home, aSpec(values, '0.8.0')).config;
    const middle = renderIggy(home, aSpec(values, '0.9.0')).config;

    expect(old).toContain('[system]\npath = "/nodes/7/data"\n\n[system.logging]\nfile_enabled = true\nlevel = "warn"');
    expect(old).not.toMatch(/\[(node|cluster|metadata|external_auth|logging)\]/);
    expect(middle).toContain('[logging]\nfile_enabled = true\nlevel = "warn"');
    expect(middle).toContain('[node]');
    expect(middle).not.toMatch(/system|external_auth|partitions_max/);
    expect(renderIggy(home, aSpec(values, '0.12.0')).config).toBe(renderIggy(home, aSpec(values)).config);
  });

  it('omits values that the server would refuse, and protects the values of the control plane', () => {
    const values = {
      ...{ 'tcp.address': '0.0.0.0:8090', 'http.enabled': false, 'heartbeat.interval': 'soon', 'no.such': 1 },
      ...{ 'websocket.read_buffer_size': null, path: '/etc', 'http.jwt.encoding_secret': 'mine' },
    };

    expect(renderIggy(home, aSpec(values))).toEqual(renderIggy(home, aSpec()));
  });

  it("uses half of the node's memory for buffers by default, and no pool when that is too little", () => {
    expect(renderIggy(home, limited(4_096)).config).toContain('[memory_pool]\nsize = "2048 MiB"');
    expect(renderIggy(home, limited(4_096, { 'memory_pool.size': '1 GiB' })).config).toContain('size = "1 GiB"');
    expect(renderIggy(home, limited(1_000)).config).toContain('[memory_pool]\nenabled = false');
  });

  it('has a hash that changes exactly when a restart is necessary', () => {
    const spec = aSpec();
    const { hash } = renderIggy(home, spec);
    const withPassword = { ...spec, credentials: { ...spec.credentials, password: 'other', version: 2 } };

    expect(renderIggy(home, withPassword).hash).toBe(hash);
    expect(renderIggy(home, { ...spec, access_rules: [] }).hash).toBe(hash);
    expect(renderIggy(home, aSpec({ 'heartbeat.interval': '1 m' })).hash).not.toBe(hash);
    expect(renderIggy(home, aSpec({ 'external_auth.url': SECRET_URL })).hash).not.toBe(hash);
    expect(renderIggy(home, { ...spec, broker: { ...spec.broker, restart: 1 } }).hash).not.toBe(hash);
  });

  it('is refused for a cluster', () => {
    const cluster = { size: 3, ordinal: 1, leader: null, secret: 'x' };

    expect(() => renderIggy(home, aSpec({}, '0.10.0', { cluster }))).toThrow(BrokerError);
  });
});

const SERVER = process.env['IGGY_SERVER_BIN'];

const describeWithIggy =
  SERVER === undefined ? skippedSuite('iggy-server is missing', 'Set IGGY_SERVER_BIN') : describe;

describeWithIggy('A real iggy-server', () => {
  it('starts with the configuration, accepts its root user, and stops on SIGTERM', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'landlord-iggy-'));
    const at = { ...home, dir };
    const { config, environment } = renderIggy(at, aSpec({ 'heartbeat.interval': '1 m' }));
    await mkdir(IGGY_FILES.data(at));
    await writePrivateFile(IGGY_FILES.config(at), config);
    await writePrivateFile(IGGY_FILES.environment(at), environment);
    expect((await stat(IGGY_FILES.environment(at))).mode & 0o777).toBe(0o600);
    const env = {
      PATH: process.env['PATH'],
      IGGY_CONFIG_PATH: IGGY_FILES.config(at),
      IGGY_ENV_PATH: IGGY_FILES.environment(at),
    };
    const server = spawn(SERVER ?? '', [], { cwd: dir, env, stdio: 'ignore' });
    try {
      const effective = join(IGGY_FILES.data(at), 'runtime', 'current_config.toml');
      const text = await until('the listeners are open', () => readFile(effective, 'utf8').catch(() => null));
      const [, address] = /\[http\][^[]*?address = "(127\.0\.0\.1:[1-9]\d*)"/.exec(text) ?? [];
      const body = JSON.stringify({ username: 'broker-1', password: 'pass-word' });
      const headers = { 'content-type': 'application/json' };
      const login = await fetch(`http://${address}/users/login`, { method: 'POST', headers, body });

      expect(await (await fetch(`http://${address}/ping`)).text()).toBe('pong');
      expect(login.status).toBe(200);
      expect(text).toMatch(/\[heartbeat\][^[]*?interval = "1\s?m/);
    } finally {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    }
  }, 120_000);
});
