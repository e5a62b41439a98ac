import { randomBytes } from 'node:crypto';
import type { NodeId } from '@libs/domain';
import {
  PlacementCommandsRepository,
  TenantCommandsRepository,
  type NodeFilter,
  type OperatorNode,
} from '@libs/persistence/operator';
import { NodeDocumentsRepository } from '@libs/persistence/runtime';
import { contextOf } from './operator-journal.js';
import { OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** Nodes of all deployments. */
export class NodeCommands {
  private readonly rows: PlacementCommandsRepository;
  private readonly tenants: TenantCommandsRepository;
  private readonly documents: NodeDocumentsRepository;

  constructor(private readonly session: OperatorSession) {
    this.rows = new PlacementCommandsRepository(session.database);
    this.tenants = new TenantCommandsRepository(session.database);
    this.documents = new NodeDocumentsRepository(session.database, session.secrets);
  }

  list(filter: NodeFilter): Promise<OperatorNode[]> {
    return this.rows.nodes(filter);
  }

  /** Stops the broker of the node gracefully until a resume. Its agent continues. @throws OperatorRefused */
  drain(id: NodeId): Promise<OperatorNode> {
    return this.change(id, 'drain', () => this.rows.drainNode(id), 'is already drained');
  }

  /** Starts its broker again, if its deployment is running. @throws OperatorRefused */
  resume(id: NodeId): Promise<OperatorNode> {
    return this.change(id, 'resume', () => this.rows.resumeNode(id), 'is not drained');
  }

  private async change(
    id: NodeId,
    verb: 'drain' | 'resume',
    change: () => Promise<boolean>,
    otherwise: string,
  ): Promise<OperatorNode> {
    return this.session.database.transaction(async () => {
      const isChanged = await change();
      const node = await this.rows.node(id);
      if (!node) throw new OperatorRefused(`There is no node ${id}. List all nodes: landlord ops nodes list`);
      if (!isChanged) throw new OperatorRefused(`Node ${id} ${otherwise}.`);
      // A node without a document gets one later, which includes the drain.
      const traceId = randomBytes(16).toString('hex');
      await this.documents.publish(id, traceId);
      await this.record(verb, node, traceId);
      return (await this.rows.node(id)) ?? node;
    });
  }

  private async record(verb: 'drain' | 'resume', node: OperatorNode, traceId: string): Promise<void> {
    const names = await this.tenants.contextOfDeployment(node.deployment_id);
    const data = { node_id: node.id, name: node.name };
    const type = verb === 'drain' ? 'node_drained' : 'node_resumed';
    await this.session.journal.record({
      verb: `nodes ${verb}`,
      subject: `node ${node.id}`,
      detail: { ...data, deployment_id: node.deployment_id },
      ...(names && { audit: { type, context: contextOf(names), data, traceId } }),
    });
  }
}
