import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { MachineNode, MachineNodeState } from '@libs/domain/machine-protocol';
import { eventually, freePorts, skippedSuite } from '@libs/testing';
import { ContainerHost, mayBootHosts, processesWith, type Ran } from '../../../../test/machine/container.fixture.js';
import { FakeMachineGateway, JOIN_TOKEN } from '../../../../test/machine/fake-machine-gateway.fixture.js';
import {
  buildArtifacts,
  packNode,
  serveArtifacts,
  specOf,
  type BuiltArtifacts,
} from '../../../../test/machine/machine.fixture.js';

const SCRIPT = resolve('apps/supervisor/src/gateway/machines/join.sh');
const DIRECTORY = '/var/lib/landlord-machine';
const MACHINE_UNIT = 'landlord-machine.service';
/** Argument of a process that is outside the unit of its node. */
const ESCAPED = '8642097';
const NODE_UNIT = 'landlord-node-5.service';
const describeWithHosts = mayBootHosts
  ? describe
  : skippedSuite('there is no host with systemd', 'Run "npm run machine:host" and the tests as root');

let place: string;
let artifacts: BuiltArtifacts;
let nodeArchive: Buffer;
let host: ContainerHost;
let gateway: FakeMachineGateway;

/** A real host with systemd joins a played gateway with TLS. Everything on the host is real. */
describeWithHosts('A host with systemd', () => {
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'landlord-systemd-'));
    artifacts = await buildArtifacts();
    nodeArchive = readFileSync(await packNode(place));
    const subject = ['-subj', '/CN=gateway', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2', '-nodes'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', join(place, 'key.pem')];
    expect(spawnSync('openssl', ['req', '-x509', ...key, ...subject, '-out', join(place, 'ca.pem')]).status).toBe(0);
  });
  afterAll(() => Promise.all([place, artifacts.place].map((path) => rm(path, { recursive: true, force: true }))));
  beforeEach(async () => {
    const [key, cert] = ['key.pem', 'ca.pem'].map((name) => readFileSync(join(place, name), 'utf8'));
    gateway = await new FakeMachineGateway({ key: key ?? '', cert: cert ?? '' }).start();
    serveArtifacts(gateway, artifacts);
    gateway.programs.node = { sha256: gateway.serve(nodeArchive), entry: `node-v1.0.0-linux-${process.arch}/bin/node` };
    host = await ContainerHost.boot();
    await host.put('/root/join.sh', { file: SCRIPT });
    await host.put('/root/ca.pem', { file: join(place, 'ca.pem') });
    await host.put('/root/token', JOIN_TOKEN);
  });
  afterEach(async () => {
    await host.destroy();
    await gateway.stop();
  });

  it('becomes a machine by one script, and keeps a node in a hardened unit over the end of each agent', async () => {
    const node = await aNode();
    gateway.publish([node]);
    expect(await joinGateway()).toMatchObject({
      status: 0,
      stdout: 'This host is now a machine of Landlord.\n',
      stderr: '',
    });
    await reaches('active');
    await runs();

    expect(host.show(NODE_UNIT, 'User', 'ActiveState', 'MemoryMax', 'KillMode', 'TasksMax')).toEqual({
      ...{ User: 'landlord-node-5', ActiveState: 'active', MemoryMax: String(256 * 1024 ** 2), KillMode: 'process' },
      TasksMax: '1024',
    });
    const before = await processesWith(flag());
    expect(before.size).toBe(2);
    for (const { uid } of before.values()) expect(uid).toBe(userId());
    expect(host.run('stat', '-c', '%a %U', `${DIRECTORY}/nodes/5`).stdout).toBe('700 landlord-node-5\n');
    const bootstrap = JSON.parse(await host.read(`${DIRECTORY}/nodes/5/bootstrap.json`)) as object;
    expect(bootstrap).toMatchObject({ agent_artifact: gateway.programs.agent.sha256 });
    expect(await host.read(`${DIRECTORY}/machine.json`)).not.toContain(JOIN_TOKEN);
    expect((await joinGateway()).stdout).toBe('This host is already a machine of Landlord. Nothing was changed.\n');

    host.run('systemctl', 'kill', '--signal=KILL', MACHINE_UNIT);
    await eventually('the machine agent runs again', () => host.show(MACHINE_UNIT, 'NRestarts').NRestarts === '1');
    await reaches('active');
    expect([...(await processesWith(flag())).keys()]).toEqual([...before.keys()]);

    const [agent = 0, broker = 0] = byEntry(before);
    process.kill(agent, 'SIGKILL');
    await eventually('the node has another agent', async () => {
      const [now = 0] = byEntry(await processesWith(flag()));
      return now > 0 && now !== agent;
    });
    expect(byEntry(await processesWith(flag()))[1]).toBe(broker);

    gateway.publish([{ ...node, intent: 'absent', token: '' }]);
    await reaches('gone');
    await expectNothingOfNode();
  });

  it('starts its nodes after a power cut, also without the gateway, and never a replaced one', async () => {
    const node = await aNode();
    gateway.publish([node]);
    expect((await joinGateway()).status).toBe(0);
    await reaches('active');
    await runs();
    await host.cutPower();
    await gateway.stop();
    await host.start();
    await eventually('the node runs again', async () => (await processesWith(flag())).size === 2);

    await host.cutPower();
    gateway.statuses.splice(0);
    gateway.publish([{ ...node, incarnation: 2 }]);
    await gateway.start();
    await host.put(`${DIRECTORY}/nodes/5/of-the-first`, 'x');
    await host.start();
    await reaches('active', 2);
    expect(host.has(`${DIRECTORY}/nodes/5/of-the-first`)).toBe(false);
  });

  it('whose token another machine has used says so in one sentence, and keeps nothing', async () => {
    gateway.refusal = { status: 401, code: 'unauthenticated' };
    const { status, stdout, stderr } = await joinGateway();

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^curl: .* 401\nThe gateway https:\S+ cannot be reached, or refuses the token: a token is good once and expires\.\n$/,
    );
    expect(host.has(DIRECTORY)).toBe(false);
    expect(host.has(`/etc/systemd/system/${MACHINE_UNIT}`)).toBe(false);
    expect(host.show(MACHINE_UNIT, 'LoadState')).toEqual({ LoadState: 'not-found' });
  });

  it('ends also a process of the node that is outside its unit', async () => {
    const node = await aNode();
    gateway.publish([node]);
    expect((await joinGateway()).status).toBe(0);
    await reaches('active');
    await runs();
    host.run('sh', '-c', `setsid setpriv --reuid=landlord-node-5 --clear-groups sleep ${ESCAPED} >/dev/null 2>&1 &`);
    await eventually('the process runs', async () => (await processesWith(ESCAPED)).size === 1);
    gateway.publish([{ ...node, intent: 'absent', token: '' }]);
    await reaches('gone');

    await expectNothingOfNode();
  });
});

async function expectNothingOfNode(): Promise<void> {
  expect(host.run('id', 'landlord-node-5').status).toBe(1);
  for (const argument of [flag(), ESCAPED]) expect(await processesWith(argument)).toHaveProperty('size', 0);
  expect(host.show(NODE_UNIT, 'LoadState')).toEqual({ LoadState: 'not-found' });
  for (const path of [`${DIRECTORY}/nodes/5`, `${DIRECTORY}/records/5.json`]) expect(host.has(path)).toBe(false);
  expect(host.run('sh', '-c', 'ls /dev/shm | grep -c landlord').stdout).toBe('0\n');
}

const flag = (): string => `--landlord-node=${gateway.machine.installation}/5`;
const userId = (): number => Number(host.run('id', '-u', 'landlord-node-5').stdout);

/** The pids of the agent and of the broker. */
function byEntry(processes: Awaited<ReturnType<typeof processesWith>>): number[] {
  const pidOf = (entry: string): number =>
    [...processes].find(([, { argv }]) => argv.some((arg) => arg.endsWith(`/${entry}`)))?.[0] ?? 0;
  return [pidOf('agent.main.js'), pidOf('embedded.main.js')];
}

function joinGateway(): Promise<Ran> {
  const limits = ['--memory', '1024', '--disk', '1', '--address', '127.0.0.1'];
  const files = ['--ca-file', '/root/ca.pem', '--token-file', '/root/token'];
  return host.runAside('sh', '/root/join.sh', '--url', gateway.url, ...files, ...limits);
}

async function aNode(): Promise<MachineNode> {
  const ports = await freePorts(1);
  gateway.specs.set(5, specOf(5, ports[0] ?? 0));
  return {
    ...{ node_id: 5, deployment_id: 1, incarnation: 1, intent: 'present', broker: 'embedded' },
    ...{ memory_mib: 256, cpus: 1, disk_gib: 1, ports, token: 'token of node 5' },
  };
}

function reaches(state: MachineNodeState, incarnation = 1): Promise<unknown> {
  const journal = (): string => host.run('journalctl', '-n', '40', '-o', 'cat', '--no-pager').stdout;
  return eventually(
    () => `node 5 is ${state}; last: ${JSON.stringify(gateway.stateOf(5))}; ${journal()}`,
    () => gateway.stateOf(5)?.state === state && gateway.stateOf(5)?.incarnation === incarnation,
    60_000,
  );
}

function runs(): Promise<unknown> {
  return eventually(
    () => `the broker runs; ${host.run('tail', '-n', '20', `${DIRECTORY}/nodes/5/agent.log`).stdout}`,
    () => gateway.nodeStatuses.some(({ runtimes }) => runtimes[0]?.status === 'running'),
    60_000,
  );
}

/** An archive like those of Node.js, with the program that runs this test. */
