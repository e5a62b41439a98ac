import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { NodeAgentsRepository } from '@libs/persistence/runtime';
import {
  describeWithIggy,
  describeWithNats,
  eventually,
  IGGY_SETTINGS,
  killNodeProcesses,
  NATS_SERVER,
  nodeProcesses,
  openBrokerClient,
  TestCloud,
  TestDeployment,
  type AppProcess,
  type BrokerClient,
  type ClientTarget,
  type SeenNode,
} from '@libs/testing';
import { writeArtifacts, type WrittenArtifact } from '../../../scripts/artifacts/artifacts.mjs';

let place: string;
let artifacts: WrittenArtifact[];
let running: BareNode | null;

/** The artifacts of a node are its only programs: no environment, no packages. The gateway is real. */
describe('A bare agent', () => {
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'landlord-bare-'));
    artifacts = await writeArtifacts(join(place, 'artifacts'));
  });
  afterAll(() => rm(place, { recursive: true, force: true }));
  beforeEach(() => void (running = null));
  afterEach(() => running?.stop());

  it('registers, and runs the embedded broker', async () => {
    await expectService({ LOCAL_BROKER: 'embedded' }, ['agent', 'embedded'], ['agent.main.js', 'embedded.main.js']);
  });

  describeWithNats('with nats', () => {
    it('registers, and runs the broker with its gate', async () => {
      const settings = { LOCAL_BROKER: 'nats', NATS_SERVER_BIN: NATS_SERVER ?? '' };
      await expectService(settings, ['agent'], ['agent.main.js', 'nats-gate.main.js']);
    });
  });

  describeWithIggy('with iggy', () => {
    it('registers, and runs the broker with its gate', async () => {
      await expectService(IGGY_SETTINGS, ['agent'], ['agent.main.js', 'gate/iggy-gate.main.js']);
    });
  });
});

async function expectService(settings: Record<string, string>, names: string[], programs: string[]): Promise<void> {
  const node = await BareNode.replace(await TestCloud.start({ env: settings }), names);
  running = node;
  const client = await node.admits();
  await client.write('bare', 'one', 'two');

  expect((await client.readAll('bare', 2)).sort()).toEqual(['one', 'two']);
  await client.close();
  expect(await node.programs()).toEqual(programs);
  const page = await fetch(`http://${node.seen.endpoints.http}/ui/page.css`);
  expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
    ...{ status: 200, type: 'text/css; charset=utf-8' },
  });
}

/** A node of a deployment that was lost with its data, and has a bare agent now. */
class BareNode {
  private constructor(
    private readonly cloud: TestCloud,
    private readonly gateway: AppProcess,
    private readonly agent: ChildProcess,
    readonly seen: SeenNode,
    private readonly target: ClientTarget,
    private readonly folders: { program: string; home: string },
  ) {}

  static async replace(cloud: TestCloud, names: readonly string[]): Promise<BareNode> {
    const deployment = await TestDeployment.free(cloud);
    const [[node], login] = await Promise.all([deployment.nodes(), deployment.login()]);
    if (!node) throw new TypeError('the deployment has no node');
    const path = join(cloud.directory, 'nodes', String(node.id), 'bootstrap.json');
    const bootstrap = JSON.parse(await readFile(path, 'utf8')) as object;
    const gateway = await onlyGateway(cloud);
    const home = await mkdtemp(join(place, 'home-'));
    const renewed = { ...bootstrap, token: await newToken(cloud, node.id) };
    await writeFile(join(home, 'bootstrap.json'), JSON.stringify(renewed), { mode: 0o600 });
    const program = await unpacked(names);
    const flag = `--landlord-node=${cloud.installation.installation}/${node.id}`;
    const agent = startBare(join(program, 'agent.main.js'), home, flag);
    const target = { endpoint: node.endpoints.tcp ?? '', login, over: 'tcp' } as const;
    return new BareNode(cloud, gateway, agent, node, target, { program, home });
  }

  admits(): Promise<BrokerClient> {
    const log = () => readFileSync(join(this.folders.home, 'agent.log'), 'utf8');
    return eventually(
      () => `a client is let in; the agent said: ${log()}`,
      () => openBrokerClient(this.seen.driver, this.target).catch(() => null),
      60_000,
    );
  }

  /** The bundles that run, relative to the folder of the program. */
  async programs(): Promise<string[]> {
    const { installation } = this.cloud.installation;
    const prefix = `${this.folders.program}/`;
    const words = (await nodeProcesses(installation)).flatMap(({ command }) => command.split(' '));
    const own = words.filter((word) => word.startsWith(prefix));
    return [...new Set(own.map((word) => word.slice(prefix.length)))].sort();
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.agent.once('exit', resolve));
    if (this.agent.exitCode === null && this.agent.kill()) await ended;
    await this.gateway.stop();
    await this.cloud.stop();
  }
}

/** The Supervisor and the processes of its nodes end. A gateway at the same address starts, which starts no agents. */
async function onlyGateway(cloud: TestCloud): Promise<AppProcess> {
  await cloud.supervisor.stop();
  await killNodeProcesses(cloud.installation.installation);
  const { GATEWAY_PORT = '' } = cloud.supervisorEnv;
  const gateway = await cloud.another('supervisor', { GATEWAY_PORT, LANDLORD_ROLE: 'gateway' });
  await gateway.start();
  return gateway;
}

function newToken(cloud: TestCloud, node: number): Promise<string> {
  return cloud.asSupervisor(async (database, secrets) => {
    const agents = new NodeAgentsRepository(database, secrets);
    await agents.replace(node);
    return agents.renewedToken(node);
  });
}

async function unpacked(names: readonly string[]): Promise<string> {
  const cwd = await mkdtemp(join(place, 'program-'));
  const wanted = artifacts.filter(({ name, arch }) => names.includes(name) && ['any', process.arch].includes(arch));
  for (const { sha256 } of wanted) await extract({ cwd, file: join(place, 'artifacts', sha256), strict: true });
  return cwd;
}

function startBare(entry: string, home: string, flag: string): ChildProcess {
  const log = openSync(join(home, 'agent.log'), 'a');
  const args = ['-i', process.execPath, entry, '--dir', home, flag];
  return spawn('env', args, { cwd: home, stdio: ['ignore', log, log] });
}
