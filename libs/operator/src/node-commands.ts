import { randomBytes } from 'node:crypto';
import type { DeploymentId, NodeId } from '@libs/domain';
import { statement } from '@libs/persistence';
import { Node, NodeDocumentsRepository } from '@libs/persistence/runtime';
import { IsNull, Not } from 'typeorm';
import { contextOfDeployment } from './operator-journal.js';
import { existing, OperatorRefused } from './operator-refused.js';
import type { OperatorSession } from './operator-session.js';

/** A node as operator commands show it. */
export interface OperatorNode extends Pick<
  Node,
  | 'id'
  | 'name'
  | 'deployment_id'
  | 'ordinal'
  | 'status'
  | 'status_reason'
  | 'observed_generation'
  | 'last_seen_at'
  | 'drained_at'
> {
  cell: string;
  generation: number | null;
}

export interface NodeFilter {
  deploymentId: DeploymentId | null;
  cell: string | null;
  status: string | null;
}

const NODE_COLUMNS = `n.id, n.name, n.deployment_id, r.cell, n.ordinal, n.status, n.status_reason, d.generation,
  n.observed_generation, n.last_seen_at, n.drained_at`;
const NODES_FROM = `from nodes n join deployment_runtimes r on r.deployment_id = n.deployment_id
  left join node_documents d on d.node_id = n.id`;
const NODES = statement(
  'operator.nodes',
  `select ${NODE_COLUMNS} ${NODES_FROM}
    where ($1::bigint is null or n.deployment_id = $1) and ($2::text is null or r.cell = $2)
      and ($3::text is null or n.status = $3)
    order by n.deployment_id, n.ordinal limit 10000`,
);
const NODE = statement('operator.node', `select ${NODE_COLUMNS} ${NODES_FROM} where n.id = $1`);

/** Nodes of all deployments. */
export class NodeCommands {
  private readonly documents: NodeDocumentsRepository;

  constructor(private readonly session: OperatorSession) {
    this.documents = new NodeDocumentsRepository(session.database, session.secrets);
  }

  list({ deploymentId, cell, status }: NodeFilter): Promise<OperatorNode[]> {
    return this.session.database.query<OperatorNode>(NODES, [deploymentId, cell, status]);
  }

  /** Stops the broker of the node gracefully until a resume. Its agent continues. @throws OperatorRefused */
  drain(id: NodeId): Promise<OperatorNode> {
    return this.change(id, true);
  }

  /** Starts its broker again, if its deployment is running. @throws OperatorRefused */
  resume(id: NodeId): Promise<OperatorNode> {
    return this.change(id, false);
  }

  private async change(id: NodeId, isDrained: boolean): Promise<OperatorNode> {
    return this.session.database.transaction(async () => {
      const isChanged = await this.storeDrain(id, isDrained);
      const node = await this.get(id);
      if (!isChanged) throw new OperatorRefused(`Node ${id} is ${isDrained ? 'already' : 'not'} drained.`);
      // A node without a document gets one later, which includes the drain.
      const traceId = randomBytes(16).toString('hex');
      await this.documents.publish(id, traceId);
      await this.record(isDrained ? 'drain' : 'resume', node, traceId);
      return this.get(id);
    });
  }

  private async get(id: NodeId): Promise<OperatorNode> {
    const [node] = await this.session.database.query<OperatorNode>(NODE, [id]);
    return existing(node, 'node', id, 'landlord ops nodes list');
  }

  /** Returns false when the node is unknown, or already as it should be. */
  private async storeDrain(id: NodeId, isDrained: boolean): Promise<boolean> {
    const before = { id, drained_at: isDrained ? IsNull() : Not(IsNull()) };
    const changes = { drained_at: isDrained ? () => 'now()' : null };
    const { affected } = await this.session.database.repository(Node).update(before, changes);
    return affected === 1;
  }

  private async record(verb: 'drain' | 'resume', node: OperatorNode, traceId: string): Promise<void> {
    const context = await contextOfDeployment(this.session.database, node.deployment_id);
    const data = { node_id: node.id, name: node.name };
    const type = verb === 'drain' ? 'node_drained' : 'node_resumed';
    await this.session.journal.record({
      verb: `nodes ${verb}`,
      subject: `node ${node.id}`,
      detail: { ...data, deployment_id: node.deployment_id },
      ...(context && { audit: { type, context, data, traceId } }),
    });
  }
}
