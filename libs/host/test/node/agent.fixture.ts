import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BrokerDriver, NodeSpec, StatusRequest } from '@libs/domain';
import { AGENT_NODE_OPTIONS } from '@libs/domain/agent-protocol';
import { brokerRuntimeOf, type BrokerBinaries } from '../../src/brokers/broker-runtimes.js';
import { ConnectorsRuntime } from '../../src/connectors/connectors.runtime.js';
import { contactInstance } from '../../src/control/instance-socket.js';
import { nodeFlag, type NodeHome } from '../../src/control/node-home.js';
import { requestJson } from '../../src/control/socket-request.js';
import { writePrivateFile } from '../../src/os/private-file.js';
import type { BrokerContact } from '../../src/control/broker-runtime.js';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { AgentError } from '../../src/node/agent-error.js';
import { FakeGateway, TOKEN } from './fake-gateway.fixture.js';

const ENTRY = resolve('dist/libs/host/src/node/agent.main.js');
const DEADLINE_MS = 30_000;
const PORTS = { first: 19_000, count: 1_000 };

/** Polls until `probe` returns a value other than null, undefined or false. Rejects after the deadline. */
export async function until<T>(what: string, probe: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = await probe();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new AgentError(`waited in vain: ${what}`);
    await new Promise((wake) => setTimeout(wake, 15));
  }
}

/** One node: a directory, its own gateway, and its agent as a real process. */
export class NodeUnderTest {
  readonly gateway = new FakeGateway();
  agent: ChildProcess | null = null;
  private entry = ENTRY;

  private constructor(
    readonly home: NodeHome,
    readonly spec: NodeSpec,
    private readonly binaries: BrokerBinaries,
  ) {}

  /** With nats-server or iggy-server the node uses that broker, otherwise the embedded one. */
  static async create(binaries: BrokerBinaries = {}): Promise<NodeUnderTest> {
    if (!existsSync(ENTRY)) throw new AgentError(`${ENTRY} is missing: run "npm run build" first`);
    const dir = await mkdtemp(join(tmpdir(), 'landlord-node-'));
    const node = new NodeUnderTest(
      { dir, installation: dir.slice(-6), nodeId: 5 },
      await aSpec(driverOf(binaries)),
      binaries,
    );
    await node.gateway.start();
    const { installation, nodeId: node_id } = node.home;
    const bootstrap = {
      agent_url: node.gateway.url,
      installation,
      node_id,
      token: TOKEN,
      binaries,
      allow_private_destinations: true,
    };
    await writePrivateFile(join(dir, 'bootstrap.json'), JSON.stringify(bootstrap));
    return node;
  }

  /** The next agent comes from the artifact with this sha256, which is unpacked in the folder. */
  async runBundle(folder: string, sha256: string): Promise<void> {
    this.entry = join(folder, 'agent.main.js');
    const path = join(this.home.dir, 'bootstrap.json');
    const bootstrap = JSON.parse(await readFile(path, 'utf8')) as object;
    await writePrivateFile(path, JSON.stringify({ ...bootstrap, agent_artifact: sha256 }));
  }

  startAgent(): ChildProcess {
    const flag = nodeFlag(this.home);
    const log = openSync(join(this.home.dir, 'agent.log'), 'a');
    const child = spawn(process.execPath, [...AGENT_NODE_OPTIONS, this.entry, '--dir', this.home.dir, flag], {
      detached: true,
      stdio: ['ignore', log, log],
    });
    this.agent = child;
    return child;
  }

  /** Signals the agent and waits for its exit. */
  async endAgent(signal: NodeJS.Signals): Promise<number | null> {
    const { agent } = this;
    if (agent === null || agent.exitCode !== null || agent.signalCode !== null) return agent?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => agent.once('exit', resolve));
    agent.kill(signal);
    return ended;
  }

  broker(): Promise<BrokerContact | null> {
    return brokerRuntimeOf(this.spec.broker.driver, this.binaries).contact(this.home);
  }

  /** The first status from now on that the predicate accepts. */
  status(what: string, accepts: (status: StatusRequest) => boolean): Promise<StatusRequest> {
    const from = this.gateway.statuses.length;
    return until(what, () => this.gateway.statuses.slice(from).find(accepts));
  }

  running(generation: number): Promise<StatusRequest> {
    return until(`running at generation ${generation}`, () =>
      this.gateway.statuses.findLast(
        ({ observed, runtimes }) => observed.generation === generation && runtimes[0]?.status === 'running',
      ),
    );
  }

  client(more: IClientOptions = {}): Promise<MqttClient> {
    const { username, password } = this.spec.credentials;
    const options = { username, password, reconnectPeriod: 0, ...more };
    return mqtt.connectAsync(`mqtt://127.0.0.1:${this.spec.listen.ports.tcp}`, options, false);
  }

  /** The first waiting message of a session. It arrives with the first packet. */
  async received(session: IClientOptions): Promise<string> {
    const { username, password } = this.spec.credentials;
    const client = mqtt.connect(`mqtt://127.0.0.1:${this.spec.listen.ports.tcp}`, { username, password, ...session });
    const text = await new Promise<string>((resolve) =>
      client.once('message', (_, payload) => resolve(payload.toString())),
    );
    await client.endAsync(true);
    return text;
  }

  async ping(): Promise<unknown> {
    const contact = await contactInstance(this.home, 'agent');
    return (await requestJson(contact?.at ?? {}, { method: 'GET', path: '/ping', timeoutMs: 2_000 })).body;
  }

  /** All processes of the node: its agent, and those that the agent started. */
  pids(): Promise<number[]> {
    return pidsOf(nodeFlag(this.home));
  }

  log(name: 'agent' | 'broker' | 'connectors'): Promise<string> {
    return readFile(join(this.home.dir, `${name}.log`), 'utf8');
  }

  async destroy(): Promise<void> {
    await this.endAgent('SIGKILL');
    await new ConnectorsRuntime().stop(this.home, 3_000);
    await brokerRuntimeOf(this.spec.broker.driver, this.binaries).stop(this.home, 3_000);
    await this.gateway.stop();
    await rm(this.home.dir, { recursive: true, force: true });
  }
}

async function pidsOf(flag: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const argv = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    if (argv.split('\0').includes(flag)) found.push(Number(name));
  }
  return found;
}

const RELEASES: Record<BrokerDriver, string> = { embedded: '1.2.0', nats: '1.2.0', iggy: '0.8.0' };

function driverOf({ nats, iggy }: BrokerBinaries): BrokerDriver {
  if (iggy) return 'iggy';
  return nats ? 'nats' : 'embedded';
}

async function aSpec(driver: BrokerDriver): Promise<NodeSpec> {
  return {
    node_id: 5,
    deployment_id: 1,
    name: 'node-5',
    broker: {
      driver,
      version: RELEASES[driver],
      want: 'running',
      config: { id: 1, version: 1, values: {} },
      restart: 0,
    },
    listen: {
      address: '127.0.0.1',
      ports: { tcp: await freePort(), http: null, websocket: null, udp: null },
      peer: null,
    },
    cluster: { size: 1, ordinal: 1, leader: null, secret: 'cluster secret' },
    credentials: { username: 'admin', password: 'correct horse', version: 1 },
    access_rules: [{ id: 1, cidrs: ['127.0.0.0/8'], protocols: ['tcp'], valid_to: null }],
  };
}

/** Below the ephemeral range. A connection of this machine may take a port of that range before the broker listens. */
async function freePort(): Promise<number> {
  const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
  return isFree ? port : freePort();
}
