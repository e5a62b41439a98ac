import { Injectable } from '@nestjs/common';
import type { DeploymentId, NodeId } from '@libs/domain';
import {
  NodeDocumentsRepository,
  NodesRepository,
  type Convergence,
  type Placement,
  type NodeRow,
} from '@libs/persistence/runtime';
import type { OperationRow } from '@libs/workflow';
import { NodeCertificates } from '../rotate/node-certificates.js';
import { NodePlacement } from '../node-placement.js';

/** The nodes of a new deployment: addresses and ports, certificates, documents, and progress. */
@Injectable()
export class ProvisionNodes {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly documents: NodeDocumentsRepository,
    readonly placement: NodePlacement,
    readonly certificates: NodeCertificates,
  ) {}

  async list(deploymentId: DeploymentId): Promise<NodeRow[]> {
    return this.nodes.list(deploymentId);
  }

  /** Stores the placement from the provider and publishes the first document. Runs in the transaction of the caller. */
  async place(nodeId: NodeId, placement: Placement, operation: OperationRow): Promise<void> {
    await this.nodes.place(nodeId, placement);
    await this.documents.publish(nodeId, operation.trace_id);
  }

  /** The addresses are in the order of the nodes. Runs in the transaction of the caller. */
  async setPublicIps(nodes: readonly NodeRow[], addresses: readonly string[]): Promise<void> {
    for (const [index, node] of nodes.entries()) await this.nodes.setPublicIp(node.id, addresses[index] ?? '');
  }

  async convergence(deploymentId: DeploymentId): Promise<Convergence> {
    return this.documents.convergence(deploymentId);
  }

  /** Runs in the transaction of the caller. */
  async fail(deploymentId: DeploymentId, reason: string): Promise<void> {
    await this.nodes.moveAll(deploymentId, 'failed', reason);
  }
}
