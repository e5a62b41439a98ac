import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeSpec } from '@libs/domain';
import { BrokerError } from '../../control/broker-error.js';
import { checkNatsConfig } from './nats-check.js';
import { aNatsSpec } from '../../../test/brokers/nats.fixture.js';
import { NatsRuntime } from './nats.runtime.js';

const home = { dir: '/nodes/1', installation: 'test', nodeId: 1 };
const render = (spec: NodeSpec) => new NatsRuntime('/bin/nats-server').render(home, spec);

async function changed(spec: NodeSpec, values: Record<string, unknown>): Promise<string> {
  return render({ ...spec, broker: { ...spec.broker, config: { ...spec.broker.config, values } } }).hash;
}

describe('the configuration of nats-server', () => {
  it('has a hash that changes exactly when a restart is necessary', async () => {
    const spec = await aNatsSpec();
    const { hash } = render(spec);

    expect(await changed(spec, { 'mqtt.ack_wait': 30 })).toBe(hash);
    expect(await changed(spec, { 'mqtt.ack_wait': 31 })).not.toBe(hash);
    expect(await changed(spec, { 'http.enabled': false })).not.toBe(hash);
    expect(render({ ...spec, access_rules: [] }).hash).toBe(hash);
    expect(render({ ...spec, broker: { ...spec.broker, want: 'stopped' } }).hash).toBe(hash);
    expect(render({ ...spec, broker: { ...spec.broker, restart: 1 } }).hash).not.toBe(hash);
    expect(render({ ...spec, credentials: { ...spec.credentials, username: 'other' } }).hash).not.toBe(hash);
  });

  it('does not contain the passwords of clients, and stays the same with new ones', async () => {
    const spec = await aNatsSpec();
    const previous_password = { password: spec.credentials.password, valid_to: null };
    const rotated = { ...spec, credentials: { ...spec.credentials, password: 'other' }, previous_password };

    expect(render(rotated)).toEqual(render(spec));
    expect(render(rotated).content).not.toMatch(/other|correct horse/);
  });

  it('contains its own hash as a tag, and keeps the private listeners on the loopback', async () => {
    const { content, hash } = render({ ...(await aNatsSpec()), listen: { ...anyListen(), address: '10.0.0.5' } });

    expect(content).toContain(`server_tags: ["landlord-config:${hash}"]`);
    expect(content).not.toContain('10.0.0.5');
    expect(content).not.toContain('cluster:');
  });

  it('has no monitoring port, and separate monitoring credentials on each node', async () => {
    const spec = await aNatsSpec();
    const account = (content: string): string | undefined =>
      /"landlord-monitor","password":"([^"]+)"/.exec(content)?.[1];
    const { content } = render(spec);

    expect(content).not.toMatch(/^(http|https|monitor_port|http_port):/m);
    expect(content).toMatch(/^authorization: /m);
    expect(account(content)).toMatch(/^[0-9a-f]{64}$/);
    expect(account(render({ ...spec, node_id: 2 }).content)).not.toBe(account(content));
    expect(content).not.toContain(spec.cluster.secret);
  });

  it('uses all storage of its node for messages, unless the configuration sets less', async () => {
    const spec = await aNatsSpec();
    const limited = { ...spec, broker: { ...spec.broker, limits: { memory_mib: 1024, storage_mib: 200 } } };
    const configured = (bytes: number) => {
      const values = { 'jetstream.max_file_store': bytes };
      return render({ ...limited, broker: { ...limited.broker, config: { ...limited.broker.config, values } } })
        .content;
    };

    expect(render(limited).content).toContain(`"max_file":${200 * 1024 * 1024}`);
    expect(configured(5 * 1024 * 1024)).toContain(`"max_file":${5 * 1024 * 1024}`);
    expect(configured(500 * 1024 * 1024)).toContain(`"max_file":${200 * 1024 * 1024}`);
    const larger = { ...limited, broker: { ...limited.broker, limits: { memory_mib: 2048, storage_mib: 200 } } };
    expect(render(larger).hash).not.toBe(render(limited).hash);
  });

  it('has a route with the secret to every peer, and three copies', async () => {
    const cluster = { size: 3, ordinal: 1, leader: null, secret: 'a/b', peers: [{ host: '10.0.0.6', port: 7 }] };
    const { content } = render(await aNatsSpec({ cluster }));

    expect(content).toContain('"nats-route://route:a%2Fb@10.0.0.6:7"');
    expect(content).toContain('"stream_replicas":3');
  });
});

describe('checkNatsConfig', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'landlord-nats-check-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  /** A server that runs this script for any configuration. */
  async function aServer(script: string): Promise<string> {
    const file = join(dir, 'nats-server');
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return file;
  }

  it("reports the server's reason without its secrets", async () => {
    const server = await aServer('echo "nats-server: $3:4:1: unknown field \\"hunter2\\"" >&2; exit 1');

    const check = checkNatsConfig(server, '/x/nats.conf', ['hunter2']);

    await expect(check).rejects.toThrow(BrokerError);
    await expect(check).rejects.toThrow(
      'nats-server refuses the configuration: nats-server: line 4:1: unknown field "********"',
    );
  });

  it('reports a missing program', async () => {
    await expect(checkNatsConfig(join(dir, 'none'), '/x', [])).rejects.toThrow('ENOENT');
  });

  it('resolves when the server accepts the configuration', async () => {
    await checkNatsConfig(await aServer('exit 0'), '/x', []);
  });
});

function anyListen(): NodeSpec['listen'] {
  return { address: '127.0.0.1', ports: { tcp: 1, http: 2, websocket: 3, udp: null }, peer: null };
}
