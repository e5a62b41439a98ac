import { spawn } from 'node:child_process';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import type { NodeId } from '@libs/domain';
import { AGENT_NODE_OPTIONS } from '@libs/domain/agent-protocol';
import { nodeMemory } from '@libs/domain/node-memory';
import { nodeFlag } from '../control/node-home.js';
import { agentAnswers, proofOf } from './agent-contact.js';
import { Semaphore } from '../os/semaphore.js';
import { endNodeProcesses, pidsOfNode, type NodeName } from './node-processes.js';
import { HostError } from '../os/host-error.js';
import { isPortFree } from '../os/ports.js';
import { rotateLog } from '../os/rotate-log.js';
import { until } from '../os/until.js';
import { writePrivateFile } from '../os/private-file.js';

/** More nodes at once would compete for CPU, and all would miss their deadlines. */
const BOOTING_AT_ONCE = 2;
const BOOT_DEADLINE_MS = 10_000;
const BOOT_LOOK_MS = 40;
const PORTS_DEADLINE_MS = 3_000;
const MIB = 1024 * 1024;

export interface LocalNodesOptions {
  /** Absolute path of the parent of the nodes' directories. */
  root: string;
  installation: string;
  bindAddress: string;
  /** Compiled entry file of the agent, started by path. */
  agentEntry: string;
  /** The program of Node.js that runs the agents. Default: the one that runs this process. */
  nodeProgram?: string;
  /** Address of the gateway for the agents. */
  agentUrl: string;
  /** The programs of brokers on this machine. The agents cannot search them, because they have no PATH. */
  binaries: object;
  /** SHA-256 of the artifact that contains the agent. Absent: the agent comes from a checkout. */
  agentArtifact?: string;
  /** Whether connectors of the nodes may send to private addresses. */
  allowPrivateDestinations: boolean;
  /** The whole environment of the agents. Nothing of this process's environment is passed on, because it contains secrets. */
  env: Record<string, string>;
}

/** What the start of a node needs. */
export interface LocalNodeSpec {
  node_id: NodeId;
  /** One-time token for the agent's registration. */
  token: string;
  /** Memory, in MiB, that must be free before the node can start. */
  memory_floor_mib: number;
}

/** The nodes of this machine whose agents have ended for certain. */
export interface EndedAgents {
  /** The number of nodes of the machine. */
  looked: number;
  /** `isServing`: the broker of the node has outlived the agent. */
  nodes: { id: NodeId; isServing: boolean }[];
}

/** The machine has less free memory than the node needs. */
export class NotEnoughMemory extends HostError {
  override readonly name = 'NotEnoughMemory';
}

/** The machines of the local cloud. A node is a directory, and an agent process in its own session. */
export class LocalNodes {
  private readonly slots = new Semaphore(BOOTING_AT_ONCE);

  constructor(private readonly options: LocalNodesOptions) {}

  answers(nodeId: NodeId): Promise<boolean> {
    const { installation } = this.options;
    return agentAnswers({ installation, nodeId, dir: this.directory(nodeId) });
  }

  /** The nodes of this machine whose agents have ended for certain. Costs no more than a connection to each agent. */
  async endedAgents(): Promise<EndedAgents> {
    const ids = (await readdir(this.options.root).catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
    const proofs = await Promise.all(
      ids.map(async (id) => ({ id, proof: await proofOf(this.directory(id), 'agent') })),
    );
    const ended = proofs.filter(({ proof }) => proof === 'ended').map(({ id }) => id);
    const nodes = await Promise.all(ended.map(async (id) => ({ id, isServing: await this.isServing(id) })));
    return { looked: ids.length, nodes };
  }

  /** Whether clients still reach the node's broker. */
  private async isServing(nodeId: NodeId): Promise<boolean> {
    const proofs = await Promise.all(
      (['broker', 'gate'] as const).map((role) => proofOf(this.directory(nodeId), role)),
    );
    return proofs.includes('listens');
  }

  /** Whether the node's directory contains the bootstrap file of its agent. */
  exists(nodeId: NodeId): Promise<boolean> {
    return stat(join(this.directory(nodeId), 'bootstrap.json')).then(
      () => true,
      () => false,
    );
  }

  /** Starts the node unless its agent answers. Returns whether the agent answers within the boot time. */
  async ensure(spec: LocalNodeSpec, signal?: AbortSignal): Promise<boolean> {
    if (await this.answers(spec.node_id)) return true;
    return this.slots.run(() => this.boot(spec, signal), signal);
  }

  /** Whether a process of the node exists: its agent, or one that an agent left running. */
  async isRunning(nodeId: NodeId): Promise<boolean> {
    return (await pidsOfNode(this.named(nodeId))).length > 0;
  }

  /** Ends the node's agent. The processes that the agent has started continue. */
  endAgent(nodeId: NodeId, signal?: AbortSignal): Promise<void> {
    return endNodeProcesses(this.named(nodeId), ['--dir', this.directory(nodeId)], signal);
  }

  /** Ends the node's processes, and keeps its directory. */
  stop(nodeId: NodeId, signal?: AbortSignal): Promise<void> {
    return endNodeProcesses(this.named(nodeId), [], signal);
  }

  /**
   * Ends the node's processes, verifies that its ports are closed, and deletes its directories. Safe to repeat after any crash.
   */
  async destroy(spec: { node_id: NodeId; ports: readonly number[] }, signal?: AbortSignal): Promise<void> {
    await this.stop(spec.node_id, signal);
    for (const port of spec.ports) await this.provePortClosed(port, signal);
    const directory = this.directory(spec.node_id);
    for (const path of [nodeMemory(directory), directory]) await rm(path, { recursive: true, force: true });
  }

  private async boot(spec: LocalNodeSpec, signal?: AbortSignal): Promise<boolean> {
    const needed = spec.memory_floor_mib * MIB;
    if (freemem() < needed) throw new NotEnoughMemory(`less than ${spec.memory_floor_mib} MiB of memory are free`);
    await this.writeBootstrap(spec);
    await this.spawnAgent(spec.node_id);
    return until(() => this.answers(spec.node_id), { timeoutMs: BOOT_DEADLINE_MS, everyMs: BOOT_LOOK_MS, signal });
  }

  private async writeBootstrap({ node_id, token }: LocalNodeSpec): Promise<void> {
    const { installation, agentUrl: agent_url, binaries, agentArtifact, allowPrivateDestinations } = this.options;
    // Omitted when they say nothing, so that the files of existing nodes do not change.
    const more = {
      ...(allowPrivateDestinations && { allow_private_destinations: true }),
      ...(agentArtifact !== undefined && { agent_artifact: agentArtifact }),
    };
    const path = join(this.directory(node_id), 'bootstrap.json');
    const content = JSON.stringify({ agent_url, installation, node_id, token, binaries, ...more });
    await mkdir(this.directory(node_id), { recursive: true, mode: 0o700 });
    if ((await readFile(path, 'utf8').catch(() => '')) !== content) await writePrivateFile(path, content);
  }

  private async spawnAgent(nodeId: NodeId): Promise<void> {
    const dir = this.directory(nodeId);
    const log = await openLog(join(dir, 'agent.log'));
    const args = [...AGENT_NODE_OPTIONS, this.options.agentEntry, '--dir', dir, nodeFlag(this.named(nodeId))];
    try {
      const child = spawn(this.options.nodeProgram ?? process.execPath, args, {
        cwd: dir,
        detached: true,
        env: this.options.env,
        stdio: ['ignore', log?.fd ?? 'ignore', log?.fd ?? 'ignore'],
      });
      // After a failed start the agent does not answer.
      child.on('error', () => undefined);
      child.unref();
    } finally {
      await log?.close();
    }
  }

  private async provePortClosed(port: number, signal?: AbortSignal): Promise<void> {
    const look = (): Promise<boolean> => isPortFree(this.options.bindAddress, port);
    if (await until(look, { timeoutMs: PORTS_DEADLINE_MS, signal })) return;
    throw new HostError(`port ${port} of the node is still in use by another process`);
  }

  private named(nodeId: NodeId): NodeName {
    return { installation: this.options.installation, nodeId };
  }

  private directory(nodeId: NodeId): string {
    return join(this.options.root, String(nodeId));
  }
}

/** Null when the log cannot be opened: the agent runs without it. */
async function openLog(path: string) {
  await rotateLog(path);
  return open(path, 'a', 0o600).catch(() => null);
}
