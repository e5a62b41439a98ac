import { Injectable } from '@nestjs/common';
import { Ledger } from '@libs/ledger';
import type { DeploymentFacts, NodeRow } from '@libs/persistence/runtime';
import type { OperationRow } from '@libs/workflow';
import { contextOf } from '../../platform/index.js';

const SYSTEM = { user: null, apiKey: null };

/** Tells the channels that a deployment does not serve while a node moves, and the audit that the node has moved. */
@Injectable()
export class MoveLedger {
  constructor(private readonly ledger: Ledger) {}

  async began(operation: OperationRow, facts: DeploymentFacts, node: NodeRow): Promise<void> {
    const event = {
      type: 'deployment_degraded',
      key: `deployment_degraded:move:${operation.id}`,
      subject: `Deployment ${facts.name} is degraded`,
      data: { name: facts.name, code: facts.code, reason: `${node.name} moves to another machine` },
    } as const;
    await this.ledger.announce(event, contextOf(facts), operation.trace_id);
  }

  async moved(operation: OperationRow, facts: DeploymentFacts, node: NodeRow): Promise<void> {
    const data = { operation_id: operation.id, node_id: node.id, name: node.name };
    const event = recovered(operation, facts);
    const said = { context: contextOf(facts), data, author: SYSTEM, traceId: operation.trace_id };
    await this.ledger.record({ audit: 'node_moved', event, ...said });
  }

  /** The deployment serves again on the old machine. */
  async gaveUp(operation: OperationRow, facts: DeploymentFacts): Promise<void> {
    await this.ledger.announce(recovered(operation, facts), contextOf(facts), operation.trace_id);
  }
}

const recovered = (operation: OperationRow, facts: DeploymentFacts) =>
  ({
    type: 'deployment_recovered',
    key: `deployment_recovered:move:${operation.id}`,
    subject: `Deployment ${facts.name} is in service again`,
    data: { name: facts.name, code: facts.code, reason: null },
  }) as const;
