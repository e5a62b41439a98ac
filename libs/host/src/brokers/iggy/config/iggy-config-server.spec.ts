import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { NodeSpec } from '@libs/domain';
import { brokerSettings } from '@libs/broker-config';
import { describeWithIggy, dottedKeys, iggyEnvironment, IGGY_RELEASE, IGGY_SERVER, startIggy } from '@libs/testing';
import { until } from '../../../../test/brokers/embedded.fixture.js';
import { writePrivateFile } from '../../../os/private-file.js';
import { misreportedKeys } from './iggy-config-reported.js';
import { IGGY_ROOT, renderIggy } from './iggy-config.js';
import { IGGY_FILES, SERVER_FILES } from '../iggy-files.js';
import { tomlText, type TomlValue } from './toml-text.js';

const binary = IGGY_SERVER ?? '';
const release = IGGY_RELEASE;
const password = 'pa$$"w\\ord 1';
const MESSAGES = 100;

const aSpec = (values: Record<string, unknown> = {}): NodeSpec => ({
  ...{ node_id: 7, deployment_id: 3, name: 'node-1', access_rules: [] },
  broker: {
    ...{ driver: 'iggy', version: release, want: 'running', config: { id: 1, version: 1, values }, restart: 0 },
    limits: { memory_mib: 512, storage_mib: 1_024 },
  },
  listen: { address: '10.0.0.5', ports: { tcp: 20_000, http: 20_001, websocket: 20_002, udp: null }, peer: null },
  cluster: { size: 1, ordinal: 1, leader: null, secret: 'a secret of the deployment alone' },
  credentials: { username: 'broker-1', password: 'pass-word', version: 1 },
});

/** Null while the server writes the file. The cluster is its last section. */
async function wholeReport(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.includes('[cluster.node.others.ports]') && text.endsWith('\n') ? text : null;
}

/** Calls the HTTP API and returns the body of its answer. Other answers than 2xx throw. */
type Call = (method: string, path: string, body?: object) => Promise<unknown>;

async function signedIn(address: unknown, user: string, secret: string): Promise<Call> {
  let token = '';
  const call: Call = async (method, path, body) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`http://${String(address)}${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new TypeError(`${method} ${path}: ${answer.status} ${text}`);
    return text.startsWith('{') ? JSON.parse(text) : text;
  };
  const answer = (await call('POST', '/users/login', { username: user, password: secret })) as {
    access_token: { token: string };
  };
  token = answer.access_token.token;
  return call;
}

describeWithIggy('A real iggy-server 0.8', () => {
  let dir: string;
  const place = () => ({ dir, installation: 'test', nodeId: 7 });
  const render = (values = {}) =>
    renderIggy(place(), aSpec(values), { rootPassword: password, replicaSecret: '', cpus: 1 });

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-iggy-'));
    await mkdir(SERVER_FILES.runtime(IGGY_FILES.data(place())), { recursive: true });
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** Calls `during` with the report of a server that runs the configuration, and ends the server. Returns its exit code. */
  async function running(
    { config, environment }: { config: string; environment: string },
    during: (reported: Record<string, unknown>, text: string) => unknown,
    signal: NodeJS.Signals = 'SIGTERM',
  ): Promise<number | null> {
    const effective = SERVER_FILES.reported(IGGY_FILES.data(place()));
    await rm(effective, { force: true });
    await writePrivateFile(IGGY_FILES.config(place()), config);
    await writePrivateFile(IGGY_FILES.environment(place()), environment);
    expect((await stat(IGGY_FILES.environment(place()))).mode & 0o777).toBe(0o600);
    const files = {
      IGGY_CONFIG_PATH: IGGY_FILES.config(place()),
      IGGY_ENV_PATH: IGGY_FILES.environment(place()),
    };
    const server = spawn(binary, [], { cwd: dir, env: iggyEnvironment(files), stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => server.once('exit', resolve));
    try {
      const text = await until('the listeners are open', () => wholeReport(effective));
      await during(dottedKeys(parse(text)), text);
    } finally {
      server.kill(signal);
      await ended;
    }
    return ended;
  }

  it('starts with the configuration, accepts only its root user, and stops on SIGTERM', async () => {
    const exit = await running(render(), async (reported) => {
      const address = reported['http.address'];

      expect(await (await fetch(`http://${String(address)}/ping`)).text()).toBe('pong');
      expect(await (await signedIn(address, IGGY_ROOT, password))('GET', '/stats')).toMatchObject({ streams_count: 0 });
      await expect(signedIn(address, 'broker-1', 'pass-word')).rejects.toThrow('invalid_credentials');
    });

    expect(exit).toBe(0);
  });

  it('reports every key of the configuration with the rendered value, and no secret', async () => {
    const values = {
      ...{ 'heartbeat.interval': '1 m', 'http.cors.allowed_origins': ['https://a.example'], 'http.cors.enabled': true },
      ...{ 'system.sharding.cpu_allocation': '0..9', 'system.topic.max_size': '2 GiB', 'quic.initial_mtu': '65535 B' },
      ...{ 'websocket.max_frame_size': '1 MiB', 'system.topic.message_expiry': 'none' },
    };
    const { rendered, ...files } = render(values);

    await running(files, (reported, text) => {
      const settings = brokerSettings('iggy', release);

      expect(misreportedKeys(settings, rendered, reported)).toEqual([]);
      const others = {
        ...{ 'heartbeat.interval': '2 m', 'heartbeat.enabled': true, 'system.topic.max_size': '3 GiB' },
        ...{ 'tcp.address': 'x:0', 'system.sharding.cpu_allocation': '1' },
      };
      expect(misreportedKeys(settings, { ...rendered, ...others }, reported).sort()).toEqual(
        Object.keys(others).sort(),
      );
      expect(reported['http.jwt.encoding_secret']).toBe('');
      for (const secret of [password, 'pass-word', 'a secret of']) expect(text).not.toContain(secret);
    });
  });

  it.each([
    ['all messages', 1, MESSAGES],
    ['no message with the default of the server', 1_024, 0],
  ])('has %s after a crash', async (_, together, left) => {
    const { rendered, environment } = render();
    const keys: Record<string, TomlValue> = { ...rendered };
    expect(keys['system.partition.messages_required_to_save']).toBe(1);
    const config = tomlText({ ...keys, 'system.partition.messages_required_to_save': together });
    const topic = '/streams/orders/topics';
    const read = `?consumer_id=1&partition_id=0&kind=offset&value=0&count=${2 * MESSAGES}&auto_commit=false`;

    const send = async (reported: Record<string, unknown>) => {
      const call = await signedIn(reported['http.address'], IGGY_ROOT, password);
      await call('POST', '/streams', { name: 'orders' });
      const limits = { compression_algorithm: 'none', message_expiry: 0, max_topic_size: 0 };
      await call('POST', topic, { name: 'new', partitions_count: 1, ...limits });
      for (let count = 0; count < MESSAGES; count += 1) {
        const messages = [{ id: 0, payload: Buffer.from(`message ${count}`).toString('base64') }];
        const partitioning = { kind: 'partition_id', value: 'AAAAAA==' };
        await call('POST', `${topic}/new/messages`, { partitioning, messages });
      }
    };
    await running({ config, environment }, send, 'SIGKILL');

    await running({ config, environment }, async (reported) => {
      const call = await signedIn(reported['http.address'], IGGY_ROOT, password);
      const { messages } = (await call('GET', `${topic}/new/messages${read}`)) as { messages: unknown[] };
      expect(messages).toHaveLength(left);
    });
  });

  it('does not start with more CPUs than the machine has, which the rendering prevents', async () => {
    const values = { 'system.sharding.cpu_allocation': '9999' };
    const { started, exit, output } = await startIggy(binary, values);

    expect({ started, exit }).toEqual({ started: false, exit: 1 });
    expect(output).toContain('exceeds available CPU cores');
    expect(await running(render(values), () => undefined)).toBe(0);
  });
});
