import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { listed, refTo } from '@libs/testing';
import type { NodeDocument, NodeSpec } from '@libs/domain';
import { nodeMemory } from '@libs/domain/node-memory';
import { describeOne } from '../describe-one.js';
import { CloudError } from '../cloud-error.js';
import type { NodeResourceSpec } from '../resource-specs.js';
import { LocalProvider } from './local-provider.js';
import { endNodeProcesses, nodeFlag } from '@libs/host/processes';
import { isPortFree, pidsWith, until } from '@libs/host/os';

const ENTRY = resolve('dist/libs/host/src/node/agent.main.js');
const ADDRESS = '127.0.0.1';
const ends: (() => Promise<unknown>)[] = [];

/** A gateway that accepts every agent and serves one document. */
async function aGateway(document: () => NodeDocument): Promise<string> {
  const server: Server = createServer((request, response) => {
    const common = { server_time: new Date().toISOString(), interval_ms: 500 };
    const isNew = request.url?.includes('since=0');
    if (request.url?.includes('/desired') && !isNew) return;
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...common, node_id: 1, epoch: 1, ...(isNew && { document: document() }) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve));
  ends.push(async () => server.closeAllConnections());
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://${ADDRESS}:${(server.address() as { port: number }).port}`;
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function aDocument(port: number): NodeDocument {
  const spec: NodeSpec = {
    node_id: 1,
    deployment_id: 9,
    name: 'node-1',
    broker: {
      driver: 'embedded',
      version: '1.2.0',
      want: 'running',
      config: { id: 1, version: 1, values: {} },
      restart: 0,
    },
    listen: { address: ADDRESS, ports: { tcp: port, http: null, websocket: null, udp: null }, peer: null },
    cluster: { size: 1, ordinal: 1, leader: null, secret: 's' },
    credentials: { username: 'u', password: 'p', version: 1 },
    access_rules: [],
  };
  return { node_id: 1, timeline: 1, generation: 1, hash: 'h', epoch: 1, spec };
}

async function aCloud(settleMs = 200) {
  if (!existsSync(ENTRY))
    throw new CloudError({ code: 'unavailable' }, `${ENTRY} is missing: run "npm run build" first`);
  const dataDir = await mkdtemp(join(tmpdir(), 'landlord-cloud-'));
  const installation = dataDir.slice(-6);
  const port = await freePort();
  const agentUrl = await aGateway(() => aDocument(port));
  const options = {
    dataDir,
    installation,
    bindAddress: ADDRESS,
    publicAddress: ADDRESS,
    agentEntry: ENTRY,
    agentUrl,
    settleMs,
  };
  ends.unshift(() => endNodeProcesses({ installation, nodeId: 1 }));
  ends.push(() => rm(dataDir, { recursive: true, force: true }));
  const flag = nodeFlag({ installation, nodeId: 1 });
  const tags = { installation, deployment_id: 9 };
  const node: NodeResourceSpec = {
    ...{
      node_id: 1,
      incarnation: 1,
      broker: 'embedded',
      cpus: 1,
      memory_mib: 512,
      is_dedicated: false,
      region: 'r',
      zone: 'a',
      image_id: 'img',
      variant: 'small',
      network: 'n',
      firewall: 'f',
    },
    ...{ storage: { type: 'ssd', size_gib: 1 }, memory_floor_mib: 16, ports: [port], token: 'one-time-token' },
  };
  const broker = (): Promise<boolean> => isPortFree(ADDRESS, port).then((isFree) => !isFree);
  return { cloud: new LocalProvider(options), options, dataDir, flag, tags, node, port, broker };
}

async function eventually(look: () => Promise<boolean>): Promise<void> {
  expect(await until(look, { timeoutMs: 10_000, everyMs: 20 })).toBe(true);
}

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

describe('the bootstrap file of a node of the local cloud', () => {
  it.each([
    [undefined, undefined],
    [false, undefined],
    [true, true],
  ])('contains whether its connectors may send to private addresses: %s', async (allowed, expected) => {
    const { options, node, tags, dataDir } = await aCloud();
    const cloud = new LocalProvider({
      ...options,
      ...(allowed !== undefined && { allowPrivateDestinations: allowed }),
    });

    await cloud.ensure('node', refTo('one'), node, tags);

    const bootstrap = JSON.parse(await readFile(join(dataDir, 'nodes', '1', 'bootstrap.json'), 'utf8'));
    expect(bootstrap.allow_private_destinations).toBe(expected);
  });
});

describe('network resources of the local cloud', () => {
  it('become active after a delay, and vanish after a delay when they are destroyed', async () => {
    const { cloud, tags } = await aCloud(150);
    const spec = { region: 'r', cidr: '10.1.0.0/16', zones: ['a', 'b'] };

    const network = await cloud.ensure('network', refTo('net'), spec, tags);

    expect(network).toMatchObject({ state: 'pending', attributes: { cidr: '10.1.0.0/16' } });
    expect(network.poll_after_ms).toBeGreaterThan(0);
    expect(network.poll_after_ms).toBeLessThanOrEqual(200);
    expect(network.attributes.subnet_ids).toHaveLength(2);
    await eventually(async () => (await describeOne(cloud, 'network', refTo('net')))?.state === 'active');
    await cloud.destroy('network', refTo('net'));
    expect(await describeOne(cloud, 'network', refTo('net'))).toMatchObject({ state: 'deleting' });
    expect(await cloud.ensure('network', refTo('net'), spec, tags)).toMatchObject({ state: 'deleting' });
    await eventually(async () => (await describeOne(cloud, 'network', refTo('net'))) === null);
  });

  it('are equal after a repeated call, also in another process, and can change in place', async () => {
    const { cloud, options, tags } = await aCloud(0);
    const spec = { region: 'r', cidr: '10.1.0.0/16', zones: ['a'] };
    const first = await cloud.ensure('network', refTo('net'), spec, tags);

    const other = new LocalProvider(options);
    const again = await other.ensure('network', refTo('net'), { ...spec, zones: ['a', 'b'] }, tags);

    expect(again.id).toBe(first.id);
    expect((await describeOne(cloud, 'network', refTo('net')))?.attributes.subnet_ids).toHaveLength(2);
  });

  it('are listed only with the tags of their deployment', async () => {
    const { cloud, tags } = await aCloud(0);
    const address = { region: 'r', node: null };
    await cloud.ensure('firewall', refTo('mine'), { network: 'net', ingress: [] }, tags);
    await cloud.ensure('address', refTo('mine too'), address, tags);
    await cloud.ensure('address', refTo('theirs'), address, { ...tags, deployment_id: 10 });
    await cloud.ensure('address', refTo('elsewhere'), address, { ...tags, installation: 'other' });

    const names = (await listed(cloud, tags)).map(({ name }) => name);

    expect(names.sort()).toEqual(['mine', 'mine too']);
  });

  it('ignore a destroy call when they do not exist', async () => {
    const { cloud } = await aCloud();

    await cloud.destroy('load_balancer', refTo('never made'));
    await cloud.destroy('node', refTo('never made'));

    expect(await describeOne(cloud, 'node', refTo('never made'))).toBeNull();
  });
});

describe('a node of the local cloud', () => {
  it('is one process, however often and concurrently it is ensured', async () => {
    const { cloud, options, tags, node, flag, broker } = await aCloud();

    const made = await Promise.all([
      cloud.ensure('node', refTo('one'), node, tags),
      cloud.ensure('node', refTo('one'), node, tags),
      new LocalProvider(options).ensure('node', refTo('one'), node, tags),
    ]);

    expect(made.map(({ state }) => state)).toEqual(['active', 'active', 'active']);
    await eventually(broker);
    expect(await pidsWith({ flags: [flag] })).toHaveLength(2);
  });

  it('is adopted by another process and not restarted while it answers', async () => {
    const { cloud, options, tags, node, flag, broker } = await aCloud();
    await cloud.ensure('node', refTo('one'), node, tags);
    await eventually(broker);
    const before = await pidsWith({ flags: [flag] });

    const adopted = await new LocalProvider(options).ensure('node', refTo('one'), node, tags);

    expect(adopted.state).toBe('active');
    expect(await pidsWith({ flags: [flag] })).toEqual(before);
  });

  it('is started again when its agent died, while its broker keeps running', async () => {
    const { cloud, tags, node, flag, broker } = await aCloud();
    await cloud.ensure('node', refTo('one'), node, tags);
    await eventually(broker);
    const [agent = 0, brokerPid = 0] = (await pidsWith({ flags: [flag] })).sort((a, b) => a - b);
    process.kill(agent, 'SIGKILL');
    await eventually(async () => (await pidsWith({ flags: [flag] })).length === 1);
    expect(await describeOne(cloud, 'node', refTo('one'))).toMatchObject({
      state: 'pending',
      reason: expect.any(String),
    });

    const again = await cloud.ensure('node', refTo('one'), node, tags);

    expect(again.state).toBe('active');
    expect(await pidsWith({ flags: [flag] })).toContain(brokerPid);
  });

  it('has a token that only the owner can read, and that is in no argv and no record', async () => {
    const { cloud, tags, node, dataDir, flag } = await aCloud();
    await cloud.ensure('node', refTo('one'), node, tags);

    const bootstrap = join(dataDir, 'nodes', '1', 'bootstrap.json');
    expect((await stat(bootstrap)).mode & 0o077).toBe(0);
    // The agent clears the token after its gateway has accepted a call with its own credential.
    await eventually(async () => !(await readFile(bootstrap, 'utf8')).includes('one-time-token'));
    expect((await stat(bootstrap)).mode & 0o077).toBe(0);
    expect(await readFile(join(dataDir, 'local-cloud', 'node', 'one.json'), 'utf8')).not.toContain('one-time-token');
    for (const pid of await pidsWith({ flags: [flag] })) {
      const files = await Promise.all(['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')));
      expect(files.join('')).not.toContain('one-time-token');
      expect(files[1]).toBe('');
    }
  });

  it('leaves no process, open port or directory after its deletion, also none in memory', async () => {
    const { cloud, tags, node, dataDir, flag, broker, port } = await aCloud();
    await cloud.ensure('node', refTo('one'), node, tags);
    await eventually(broker);
    const memory = nodeMemory(join(dataDir, 'nodes', '1'));
    await mkdir(memory, { mode: 0o700 });

    await cloud.destroy('node', refTo('one'));

    expect(existsSync(memory)).toBe(false);
    expect(await pidsWith({ flags: [flag] })).toEqual([]);
    expect(await isPortFree(ADDRESS, port)).toBe(true);
    expect(await readdir(join(dataDir, 'nodes'))).toEqual([]);
    expect(await describeOne(cloud, 'node', refTo('one'))).toBeNull();
    expect(await listed(cloud, tags)).toEqual([]);
  });

  it('leaves nothing when it is destroyed while its agent starts a broker', async () => {
    const { cloud, tags, node, dataDir, flag } = await aCloud();
    for (let round = 0; round < 5; round += 1) {
      await cloud.ensure('node', refTo('one'), node, tags);

      await cloud.destroy('node', refTo('one'));

      expect(await pidsWith({ flags: [flag] })).toEqual([]);
      expect(await readdir(join(dataDir, 'nodes'))).toEqual([]);
    }
  });

  it('kills a process that ignores SIGTERM', async () => {
    const { cloud, tags, node, flag } = await aCloud();
    await cloud.ensure('node', refTo('one'), node, tags);
    const script = 'process.on("SIGTERM", () => 0); console.log("ready"); setInterval(() => 0, 1000)';
    const stubborn = spawn(process.execPath, ['-e', script, '--', flag], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((ready) => stubborn.stdout.once('data', ready));

    await cloud.destroy('node', refTo('one'));

    expect(await pidsWith({ flags: [flag] })).toEqual([]);
  });

  it('stays in the inventory while one of its ports is not verified as closed', async () => {
    const { cloud, tags, node, port } = await aCloud();
    const otherServer = createTcpServer().listen(port, ADDRESS);
    await cloud.ensure('node', refTo('one'), node, tags);

    const refused = cloud.destroy('node', refTo('one'));

    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
    expect(await listed(cloud, tags)).toMatchObject([{ kind: 'node', name: 'one', state: 'deleting' }]);
    await new Promise((resolve) => otherServer.close(resolve));
    await cloud.destroy('node', refTo('one'));
    expect(await listed(cloud, tags)).toEqual([]);
  });

  it('is refused when too little memory is free', async () => {
    const { cloud, tags, node, flag } = await aCloud();

    const refused = cloud.ensure('node', refTo('one'), { ...node, memory_floor_mib: 1024 * 1024 * 1024 }, tags);

    await expect(refused).rejects.toMatchObject({ refusal: { code: 'capacity', what: 'memory', zone: node.zone } });
    expect(await pidsWith({ flags: [flag] })).toEqual([]);
    expect(await listed(cloud, tags)).toHaveLength(1);
  });

  it('rejects with the reason of an abort', async () => {
    const { cloud, tags, node } = await aCloud();
    const reason = new CloudError({ code: 'unavailable' }, 'the lease was lost');

    await expect(cloud.ensure('node', refTo('one'), node, tags, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
