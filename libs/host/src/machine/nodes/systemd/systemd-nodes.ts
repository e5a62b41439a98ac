import { chmod, chown, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeId } from '@libs/domain';
import type { DiskCopy, MachineNode } from '@libs/domain/machine-protocol';
import { nodeMemory } from '@libs/domain/node-memory';
import { isPortFree } from '../../../os/ports.js';
import { nodeFlag } from '../../../control/node-home.js';
import { until } from '../../../os/until.js';
import { NodeFailed } from '../node-failed.js';
import type { NodeHost, StartableNode } from '../node-host.js';
import { ALL_ADDRESSES, type ProcessNodesOptions } from '../process-nodes.js';
import { DiskCopies } from './disk-copies.js';
import { pidsOf, SystemUsers, type SystemUser } from './system-users.js';
import { endProcesses } from '../../../os/end-processes.js';
import { Systemctl } from './systemctl.js';
import { END_DROP_IN, unitOf } from './unit-file.js';
import { writeFor, writeUnitFile } from './unit-writes.js';

/** Units in memory: after a restart of the host, only this agent starts nodes, so a replaced node never starts by itself. */
const UNITS = '/run/systemd/system';
const PREFIX = 'landlord-node-';
const BOOT_DEADLINE_MS = 10_000;
const PORTS_DEADLINE_MS = 3_000;
/** Time between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 1_500;

const userOf = (nodeId: NodeId): string => `${PREFIX}${nodeId}`;
const unitNameOf = (nodeId: NodeId): string => `${PREFIX}${nodeId}.service`;

/** Nodes as hardened units of systemd. Each node has a system user, limits, and a directory that only its user can enter. Needs root. */
export class SystemdNodes implements NodeHost {
  private readonly systemctl = new Systemctl();
  private readonly users = new SystemUsers();
  private readonly copies: DiskCopies;
  private readonly root: string;

  constructor(
    private readonly options: ProcessNodesOptions,
    private readonly units = UNITS,
  ) {
    this.root = join(options.dir, 'nodes');
    this.copies = new DiskCopies(options.dir, units);
  }

  /** The service manager starts an agent again, so an active unit is enough. A ping would read files that the node controls. */
  answers(nodeId: NodeId): Promise<boolean> {
    return this.systemctl.isActive(unitNameOf(nodeId), `${PREFIX}*.service`);
  }

  async isRunning(nodeId: NodeId): Promise<boolean> {
    const user = await this.users.find(userOf(nodeId));
    return user !== null && (await pidsOf(user.uid)).length > 0;
  }

  async start(started: StartableNode, signal: AbortSignal): Promise<boolean> {
    const { node_id: nodeId } = started.node;
    const user = await this.users.ensure(userOf(nodeId), this.directory(nodeId));
    await this.ensureDirectory(nodeId, user);
    await this.writeBootstrap(started, user);
    await this.writeUnit(started);
    await this.systemctl.start(unitNameOf(nodeId));
    return until(() => this.answers(nodeId), { timeoutMs: BOOT_DEADLINE_MS, everyMs: 600, signal });
  }

  /** The unit's `KillMode=process` ends only the agent. */
  async endAgent(nodeId: NodeId): Promise<void> {
    await this.systemctl.stop(unitNameOf(nodeId));
  }

  async stop(nodeId: NodeId, signal: AbortSignal): Promise<void> {
    const unit = join(this.units, unitNameOf(nodeId));
    if ((await readFile(unit, 'utf8').catch(() => null)) !== null) {
      await mkdir(`${unit}.d`, { recursive: true, mode: 0o755 });
      await writeUnitFile(join(`${unit}.d`, 'end.conf'), END_DROP_IN);
      await this.systemctl.reload();
      await this.systemctl.stop(unitNameOf(nodeId));
    }
    // Processes that an ended unit left running. Nothing else runs as this user.
    const user = await this.users.find(userOf(nodeId));
    if (user !== null) await endProcesses(() => pidsOf(user.uid), { graceMs: GRACE_MS, signal });
  }

  async copyData(nodeId: NodeId, copy: DiskCopy | null): Promise<boolean> {
    if (copy === null) return this.copies.end(nodeId).then(() => true);
    const user = await this.users.ensure(userOf(nodeId), this.directory(nodeId));
    const target = { nodeId, user: { ...user, name: userOf(nodeId) }, directory: this.directory(nodeId) };
    return this.copies.bring(copy, target);
  }

  /** The user is removed last, because its id finds the processes of the node. */
  async destroy({ node_id, ports }: Pick<MachineNode, 'node_id' | 'ports'>, signal: AbortSignal): Promise<void> {
    await this.stop(node_id, signal);
    await this.copies.end(node_id);
    for (const port of ports) await provePortClosed(port, signal);
    const [unit, directory] = [join(this.units, unitNameOf(node_id)), this.directory(node_id)];
    if ((await readFile(unit, 'utf8').catch(() => null)) !== null) {
      for (const path of [`${unit}.d`, unit]) await rm(path, { recursive: true, force: true });
      await this.systemctl.reload();
      await this.systemctl.forget(unitNameOf(node_id));
    }
    for (const path of [nodeMemory(directory), directory]) await rm(path, { recursive: true, force: true });
    await this.users.remove(userOf(node_id));
  }

  private directory(nodeId: NodeId): string {
    return join(this.root, String(nodeId));
  }

  private async ensureDirectory(nodeId: NodeId, { uid, gid }: SystemUser): Promise<void> {
    const directory = this.directory(nodeId);
    // Other users may pass through, and cannot list the nodes.
    await mkdir(this.root, { recursive: true, mode: 0o711 });
    await chmod(this.root, 0o711);
    const stats = await lstat(directory).catch(() => null);
    if (stats !== null && stats.uid !== uid && stats.uid !== 0)
      throw new NodeFailed(`The directory of node ${nodeId} belongs to another user. Delete ${directory}.`);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chown(directory, uid, gid);
  }

  private async writeBootstrap(
    { node, programs, allowPrivateDestinations }: StartableNode,
    user: SystemUser,
  ): Promise<void> {
    const { installation, agentUrl: agent_url } = this.options;
    const { node_id, token } = node;
    const { binaries, agentArtifact: agent_artifact } = programs;
    const more = allowPrivateDestinations && { allow_private_destinations: true };
    const content = { agent_url, installation, node_id, token, binaries, agent_artifact, ...more };
    const path = join(this.directory(node_id), 'bootstrap.json');
    await writeFor(user, path, JSON.stringify(content));
  }

  private async writeUnit({ node, programs }: StartableNode): Promise<void> {
    const path = join(this.units, unitNameOf(node.node_id));
    const content = unitOf({
      node,
      user: userOf(node.node_id),
      dir: this.directory(node.node_id),
      program: programs.node,
      entry: programs.agent,
      flag: nodeFlag({ installation: this.options.installation, nodeId: node.node_id }),
      authority: this.options.authority,
    });
    await mkdir(this.units, { recursive: true, mode: 0o755 });
    await rm(`${path}.d`, { recursive: true, force: true });
    await writeUnitFile(path, content);
    await this.systemctl.reload();
  }
}

async function provePortClosed(port: number, signal: AbortSignal): Promise<void> {
  const look = (): Promise<boolean> => isPortFree(ALL_ADDRESSES, port);
  if (await until(look, { timeoutMs: PORTS_DEADLINE_MS, signal })) return;
  throw new NodeFailed(
    `Port ${port} of the node is still in use by another program of the machine. Stop that program.`,
  );
}
