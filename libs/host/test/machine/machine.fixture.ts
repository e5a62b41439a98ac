import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeId, NodeSpec } from '@libs/domain';
import type { MachineNode, MachineNodeState } from '@libs/domain/machine-protocol';
import { eventually, freePorts } from '@libs/testing';
import { create, extract } from 'tar';
import { writeArtifacts, type WrittenArtifact } from '../../../../scripts/artifacts/artifacts.mjs';
import type { MachineFile } from '../../src/machine/machine-file.js';
import { FakeMachineGateway, JOIN_TOKEN } from './fake-machine-gateway.fixture.js';

/** The artifacts of a run, and the unpacked agent. */
export interface BuiltArtifacts {
  place: string;
  written: WrittenArtifact[];
  /** Entry file of the machine agent. */
  entry: string;
}

export async function buildArtifacts(): Promise<BuiltArtifacts> {
  const place = await mkdtemp(join(tmpdir(), 'landlord-machine-artifacts-'));
  const written = await writeArtifacts(join(place, 'artifacts'));
  const agent = written.find(({ name }) => name === 'agent');
  const cwd = join(place, 'agent');
  await mkdir(cwd);
  await extract({ cwd, file: join(place, 'artifacts', agent?.sha256 ?? ''), strict: true });
  return { place, written, entry: join(cwd, 'machine.main.js') };
}

/** Packs the program of Node.js that runs this test, as `npm run artifacts` takes it. Returns the archive in the folder. */
export async function packNode(folder: string): Promise<string> {
  const name = `node-v1.0.0-linux-${process.arch}`;
  await mkdir(join(folder, name, 'bin'), { recursive: true });
  await copyFile(process.execPath, join(folder, name, 'bin', 'node'));
  const file = join(folder, `${name}.tar.gz`);
  create({ cwd: folder, file, sync: true, gzip: { level: 1 }, portable: true }, [name]);
  return file;
}

/** Packs the files of a folder with changed ones. Returns the archive beside a copy of the folder in `place`. */
export async function packChanged(place: string, folder: string, changed: Record<string, string>): Promise<string> {
  const work = await mkdtemp(join(place, 'changed-'));
  await cp(folder, work, { recursive: true });
  for (const [name, content] of Object.entries(changed)) await writeFile(join(work, name), content);
  create({ cwd: work, file: `${work}.tgz`, sync: true, gzip: true, portable: true }, await readdir(work));
  return `${work}.tgz`;
}

/** A machine: a directory, its own gateway, and its agent as a real process with the programs of the artifacts alone. */
export class MachineUnderTest {
  agent: ChildProcess | null = null;

  private constructor(
    readonly dir: string,
    readonly gateway: FakeMachineGateway,
    private readonly artifacts: BuiltArtifacts,
  ) {}

  static async create(artifacts: BuiltArtifacts, file: Partial<MachineFile> = {}): Promise<MachineUnderTest> {
    const dir = await mkdtemp(join(tmpdir(), 'landlord-machine-'));
    const machine = new MachineUnderTest(dir, await new FakeMachineGateway().start(), artifacts);
    serveArtifacts(machine.gateway, artifacts);
    const defaults = { nodes: 'processes', memory_mib: 1024, disk_gib: 1, address: '127.0.0.1' } as const;
    const content = { agent_url: machine.gateway.url, token: JOIN_TOKEN, ...defaults, ...file };
    await writeFile(join(dir, 'machine.json'), JSON.stringify(content), { mode: 0o600 });
    return machine;
  }

  start(): ChildProcess {
    const log = openSync(join(this.dir, 'agent.log'), 'a');
    // Nothing but the artifact: no environment, no packages.
    this.agent = spawn('env', ['-i', process.execPath, this.artifacts.entry, '--dir', this.dir], {
      cwd: this.dir,
      stdio: ['ignore', log, log],
    });
    return this.agent;
  }

  /** Signals the agent and waits for its end. Returns its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { agent } = this;
    if (agent === null || agent.exitCode !== null || agent.signalCode !== null) return agent?.exitCode ?? null;
    const ended = once(agent, 'exit');
    agent.kill(signal);
    return ((await ended) as [number | null])[0];
  }

  async exitCode(): Promise<number | null> {
    const { agent } = this;
    if (agent === null || agent.exitCode !== null) return agent?.exitCode ?? null;
    return ((await once(agent, 'exit')) as [number | null])[0];
  }

  /** A node with the embedded broker. */
  async aNode(nodeId: NodeId, changes: Partial<MachineNode> = {}): Promise<MachineNode> {
    const [port = 0] = await freePorts(1);
    this.gateway.specs.set(nodeId, specOf(nodeId, changes.ports?.[0] ?? port));
    return {
      ...{ node_id: nodeId, deployment_id: 1, incarnation: 1, intent: 'present', broker: 'embedded' },
      ...{ memory_mib: 64, cpus: 1, disk_gib: 1, ports: [port], token: `token of node ${nodeId}` },
      ...changes,
    };
  }

  /** Waits until the last status reports the state, and returns its reason. */
  async reaches(nodeId: NodeId, state: MachineNodeState, incarnation = 1): Promise<string> {
    const seen = await eventually(
      () => `node ${nodeId} is ${state}; last: ${JSON.stringify(this.gateway.stateOf(nodeId))}; ${this.log()}`,
      () => {
        const status = this.gateway.stateOf(nodeId);
        return status?.state === state && status.incarnation === incarnation ? status : null;
      },
      60_000,
    );
    return seen.reason ?? '';
  }

  /** Waits until the node's own agent reports a running broker. */
  runs(nodeId: NodeId): Promise<unknown> {
    return eventually(
      () => `the broker of node ${nodeId} runs; ${this.log()}`,
      () =>
        this.gateway.nodeStatuses.find(
          ({ node_id, runtimes }) => node_id === nodeId && runtimes[0]?.status === 'running',
        ),
      60_000,
    );
  }

  /** The arguments of the node's processes, by pid. */
  async processes(nodeId: NodeId): Promise<Map<number, string[]>> {
    const flag = `--landlord-node=${this.gateway.machine.installation}/${nodeId}`;
    const found = new Map<number, string[]>();
    for (const name of await readdir('/proc')) {
      const argv = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
      if (argv.split('\0').includes(flag)) found.set(Number(name), argv.split('\0'));
    }
    return found;
  }

  /** The pids of the node's agents. */
  async agents(nodeId: NodeId): Promise<number[]> {
    const found = await this.processes(nodeId);
    return [...found]
      .filter(([, argv]) => argv.some((argument) => argument.endsWith('/agent.main.js')))
      .map(([pid]) => pid);
  }

  nodeDirectory(nodeId: NodeId): string {
    return join(this.dir, 'nodes', String(nodeId));
  }

  log(): string {
    return readFileSync(join(this.dir, 'agent.log'), 'utf8');
  }

  /** What the program folder contains, without the archives folder when it is empty. */
  async programs(): Promise<string[]> {
    const folder = join(this.dir, 'programs');
    const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
    return names.filter((name) => name !== 'archives').sort();
  }

  async destroy(): Promise<void> {
    await this.end('SIGKILL');
    for (const nodeId of this.gateway.specs.keys())
      for (const pid of (await this.processes(nodeId)).keys()) endProcess(pid);
    await this.gateway.stop();
    await rm(this.dir, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Serves the artifacts of a node with the embedded broker, and names them as the programs of the machine. */
export function serveArtifacts(gateway: FakeMachineGateway, { written, place }: BuiltArtifacts): void {
  for (const { name, arch, sha256, entry } of written) {
    if (!['agent', 'embedded'].includes(name) || !['any', process.arch].includes(arch)) continue;
    gateway.serve(readFileSync(join(place, 'artifacts', sha256)));
    gateway.programs = { ...gateway.programs, [name]: { sha256, entry } };
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

/** The document of a node with the embedded broker. */
export function specOf(node_id: NodeId, port: number): NodeSpec {
  const ports = { tcp: port, http: null, websocket: null, udp: null };
  const config = { id: 1, version: 1, values: {} };
  return {
    ...{ node_id, deployment_id: 1, name: `node-${node_id}` },
    broker: { driver: 'embedded', version: '1.2.0', want: 'running', config, restart: 0 },
    listen: { address: '127.0.0.1', ports, peer: null },
    cluster: { size: 1, ordinal: 1, leader: null, secret: 'cluster secret' },
    credentials: { username: 'admin', password: 'correct horse', version: 1 },
    access_rules: [{ id: 1, cidrs: ['127.0.0.0/8'], protocols: ['tcp'], valid_to: null }],
  };
}
