import { Injectable } from '@nestjs/common';
import { CredentialsRepository, NodeDocumentsRepository } from '@libs/persistence/runtime';
import {
  done,
  hop,
  nap,
  stepTable,
  type Failure,
  type OperationRow,
  type StepContext,
  type StepsOf,
  type Workflow,
} from '@libs/workflow';
import { DeploymentLedger } from '../deployment-ledger.js';
import { DeploymentResources } from '../deployment-resources.js';
import { NodeTurns } from '../node-turns.js';
import { deploymentOf } from '../subject.js';

export const ROTATE_CREDENTIALS = stepTable({
  checking_nodes: { to: ['rotating_node'], deadline: '2m', giveUpAfter: '10m' },
  rotating_node: {
    to: ['waiting_for_node', 'replacing_credentials'],
    deadline: '2m',
    giveUpAfter: '10m',
    undoneBy: 'restoring_nodes',
  },
  waiting_for_node: { to: ['rotating_node'], deadline: '3m', giveUpAfter: '10m', undoneBy: 'restoring_nodes' },
  replacing_credentials: { to: [] },
  restoring_nodes: { to: [], deadline: '10m', isUndo: true },
});

/**
 * Gives every node a new client password, one after the other. With an overlap, a changed node accepts both passwords.
 * Without one, it disconnects its clients when it applies the new password. The API shows the new one when the last node
 * has it. From then on the overlap counts. When a node does not come back, all nodes get the old password again, and the
 * new one is never shown.
 */
@Injectable()
export class RotateCredentials implements Workflow, StepsOf<typeof ROTATE_CREDENTIALS, StepContext> {
  readonly type = 'rotate_credentials';
  readonly table = ROTATE_CREDENTIALS;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly resources: DeploymentResources,
    private readonly turns: NodeTurns,
    private readonly ledger: DeploymentLedger,
  ) {}

  /** A rotation does not start while a node is down. */
  async checking_nodes({ operation, signal }: StepContext) {
    const missing = await this.turns.missing(operation, signal);
    if (missing !== null) return nap('5s', missing);
    return hop('rotating_node', {
      write: async () => {
        const id = deploymentOf(operation);
        await this.credentials.prepareNext(id, overlapOf(operation));
        // The password before the current one ends on all nodes at once.
        await this.documents.publishAll(id, operation.trace_id);
      },
    });
  }

  async rotating_node({ operation }: StepContext) {
    const node = await this.turns.current(operation);
    if (!node) return hop('replacing_credentials');
    return hop('waiting_for_node', {
      write: async () => {
        await this.credentials.giveNext(node.id);
        await this.documents.publish(node.id, operation.trace_id);
      },
    });
  }

  async waiting_for_node({ operation, signal }: StepContext) {
    const memo = await this.turns.passOn(operation, signal);
    return memo === null ? nap('2s', 'a node applies the new credentials') : hop('rotating_node', { memo });
  }

  async replacing_credentials({ operation }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    return done({
      write: async () => {
        await this.credentials.replace(facts.id, overlapOf(operation));
        await this.documents.publishAll(facts.id, operation.trace_id);
        await this.ledger.rotated(operation, facts, overlapOf(operation));
      },
    });
  }

  async restoring_nodes({ operation, signal }: StepContext) {
    const missing = await this.turns.missing(operation, signal);
    return missing === null ? done() : nap('2s', missing);
  }

  /**
   * Publishes the old password in the transaction that starts the undo. So a worker that lost the lease cannot publish
   * another one.
   */
  async undoing(operation: OperationRow): Promise<void> {
    for (const id of await this.credentials.takeBack(deploymentOf(operation)))
      await this.documents.publish(id, operation.trace_id);
  }

  /** The old credentials are valid, so the operation fails, but not the deployment. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    await this.ledger.failed(operation, await this.resources.facts(deploymentOf(operation)), failure);
  }
}

/** Seconds. A rotation that an earlier release started has none. */
const overlapOf = ({ memo }: OperationRow): number => Number(memo['overlap_seconds'] ?? 0);
