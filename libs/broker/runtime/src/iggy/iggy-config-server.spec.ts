import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { NodeSpec } from '@libs/domain';
import { brokerSettings } from '@libs/broker/schema';
import { describeWithIggy, dottedKeys, iggyEnvironment, IGGY_RELEASE, IGGY_SERVER } from '@libs/testing';
import { until } from '../../test/embedded.fixture.js';
import { writePrivateFile } from '../private-file.js';
import { misreportedKeys } from './iggy-config-reported.js';
import { IGGY_ROOT, renderIggy, type RenderedIggy } from './iggy-config.js';
import { IGGY_FILES } from './iggy-files.js';

const binary = IGGY_SERVER ?? '';
const release = IGGY_RELEASE;
const password = 'pa$$"w\\ord 1';

const aSpec = (values: Record<string, unknown>): NodeSpec => ({
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

/** Runs `during` with the report of a server that runs the configuration, and stops the server. */
async function running(
  values: Record<string, unknown>,
  during: (reported: Record<string, unknown>, node: RenderedIggy, text: string) => Promise<void>,
): Promise<number | null> {
  const dir = await mkdtemp(join(tmpdir(), 'landlord-iggy-'));
  const at = { dir, installation: 'test', nodeId: 7 };
  const node = renderIggy(at, aSpec(values), { rootPassword: password, cpus: 1 });
  await mkdir(IGGY_FILES.data(at));
  await writePrivateFile(IGGY_FILES.config(at), node.config);
  await writePrivateFile(IGGY_FILES.environment(at), node.environment);
  expect((await stat(IGGY_FILES.environment(at))).mode & 0o777).toBe(0o600);
  const env = iggyEnvironment({
    IGGY_CONFIG_PATH: IGGY_FILES.config(at),
    IGGY_ENV_PATH: IGGY_FILES.environment(at),
  });
  const server = spawn(binary, [], { cwd: dir, env, stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve));
  try {
    const effective = join(IGGY_FILES.data(at), 'runtime', 'current_config.toml');
    const text = await until('the listeners are open', () => wholeReport(effective));
    await during(dottedKeys(parse(text)), node, text);
  } finally {
    server.kill('SIGTERM');
    await ended;
    await rm(dir, { recursive: true, force: true });
  }
  return ended;
}

const login = (address: unknown, username: string, secret: string): Promise<Response> =>
  fetch(`http://${String(address)}/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: secret }),
  });

describeWithIggy('A real iggy-server 0.8', () => {
  it('starts with the configuration, accepts only its root user, and stops on SIGTERM', async () => {
    const exit = await running({}, async (reported) => {
      const address = reported['http.address'];

      expect(await (await fetch(`http://${String(address)}/ping`)).text()).toBe('pong');
      expect((await login(address, IGGY_ROOT, password)).status).toBe(200);
      expect((await login(address, 'broker-1', 'pass-word')).status).not.toBe(200);
    });

    expect(exit).toBe(0);
  });

  it('reports every key of the configuration with the rendered value, and no secret', async () => {
    const values = {
      ...{ 'heartbeat.interval': '1 m', 'http.cors.allowed_origins': ['https://a.example'], 'http.cors.enabled': true },
      ...{ 'system.sharding.cpu_allocation': '0..9', 'system.topic.max_size': '2 GiB', 'quic.initial_mtu': '65535 B' },
      ...{ 'websocket.max_frame_size': '1 MiB', 'system.topic.message_expiry': 'none' },
    };

    await running(values, async (reported, { rendered }, text) => {
      const settings = brokerSettings('iggy', release);

      expect(misreportedKeys(settings, rendered, reported)).toEqual([]);
      const other = {
        ...rendered,
        'heartbeat.interval': '2 m',
        'system.topic.max_size': '3 GiB',
        'tcp.address': 'x:0',
      };
      expect(misreportedKeys(settings, { ...other, 'heartbeat.enabled': true }, reported).sort()).toEqual([
        'heartbeat.enabled',
        'heartbeat.interval',
        'system.topic.max_size',
        'tcp.address',
      ]);
      expect(reported['http.jwt.encoding_secret']).toBe('');
      for (const secret of [password, 'pass-word', 'a secret of']) expect(text).not.toContain(secret);
      await Promise.resolve();
    });
  });
});
