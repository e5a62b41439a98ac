import { join } from 'node:path';
import type { NodeId } from '@libs/domain';
import { writePrivateFile } from '../../os/private-file.js';
import type { DiskCopy, MachineNode } from '@libs/domain/machine-protocol';
import { copiedData } from '@libs/domain/node-orders';
import { LocalNodes, type LocalNodesOptions } from '../../processes/local-nodes.js';
import type { NodeHost, StartableNode } from './node-host.js';

/** Ports are checked and verified on all addresses, because the document of the node decides where it listens. */
export const ALL_ADDRESSES = '0.0.0.0';

export interface ProcessNodesOptions {
  /** Directory of the machine. */
  dir: string;
  installation: string;
  agentUrl: string;
  /** Path of the authority of the gateway, or null. */
  authority: string | null;
}

/** Nodes as processes of this user, each agent in its own session: for hosts without root or systemd. They have no limits. */
export class ProcessNodes implements NodeHost {
  /** For everything except a start, which needs the programs of the node. */
  private readonly nodes: LocalNodes;

  constructor(private readonly options: ProcessNodesOptions) {
    this.nodes = new LocalNodes(this.local({ agentEntry: '', binaries: {}, allowPrivateDestinations: false }));
  }

  answers(nodeId: NodeId): Promise<boolean> {
    return this.nodes.answers(nodeId);
  }

  isRunning(nodeId: NodeId): Promise<boolean> {
    return this.nodes.isRunning(nodeId);
  }

  start({ node, programs, allowPrivateDestinations }: StartableNode, signal: AbortSignal): Promise<boolean> {
    const { agent: agentEntry, agentArtifact, node: nodeProgram, binaries } = programs;
    const started = { agentEntry, agentArtifact, nodeProgram, binaries, allowPrivateDestinations };
    const nodes = new LocalNodes(this.local(started));
    const { node_id, token, memory_mib: memory_floor_mib } = node;
    return nodes.ensure({ node_id, token, memory_floor_mib }, signal);
  }

  /** Another disk belongs to root. */
  async copyData(nodeId: NodeId, copy: DiskCopy | null): Promise<boolean> {
    if (copy === null) return true;
    const path = join(this.options.dir, 'nodes', String(nodeId), copiedData(copy.order).failure);
    await writePrivateFile(path, 'The machine agent runs without root, and cannot read another disk.');
    return true;
  }

  endAgent(nodeId: NodeId, signal: AbortSignal): Promise<void> {
    return this.nodes.endAgent(nodeId, signal);
  }

  stop(nodeId: NodeId, signal: AbortSignal): Promise<void> {
    return this.nodes.stop(nodeId, signal);
  }

  destroy(node: Pick<MachineNode, 'node_id' | 'ports'>, signal: AbortSignal): Promise<void> {
    return this.nodes.destroy(node, signal);
  }

  private local(
    programs: Pick<
      LocalNodesOptions,
      'agentEntry' | 'agentArtifact' | 'nodeProgram' | 'binaries' | 'allowPrivateDestinations'
    >,
  ): LocalNodesOptions {
    const { dir, installation, agentUrl, authority } = this.options;
    const env: Record<string, string> = authority === null ? {} : { NODE_EXTRA_CA_CERTS: authority };
    return { root: join(dir, 'nodes'), installation, bindAddress: ALL_ADDRESSES, agentUrl, env, ...programs };
  }
}
