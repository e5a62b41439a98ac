import { Injectable } from '@nestjs/common';
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
import { NodeCertificates } from './node-certificates.js';
import { NodeTurns } from '../node-turns.js';
import { deploymentOf } from '../subject.js';

export const ROTATE_CERTIFICATES = stepTable({
  checking_nodes: { to: ['issuing_certificate'], deadline: '2m', giveUpAfter: '10m' },
  issuing_certificate: { to: ['waiting_for_nodes'], deadline: '2m', giveUpAfter: '10m', undoneBy: 'restoring_nodes' },
  waiting_for_nodes: { to: ['replacing_certificate'], deadline: '3m', giveUpAfter: '10m', undoneBy: 'restoring_nodes' },
  replacing_certificate: { to: [] },
  restoring_nodes: { to: [], deadline: '10m', isUndo: true },
});

/**
 * Gives all nodes another certificate at once. This disconnects no client, and both certificates are valid during the
 * change. The API shows the new one when every node has applied it. When a node does not apply it, all nodes present
 * the old one again.
 */
@Injectable()
export class RotateCertificates implements Workflow, StepsOf<typeof ROTATE_CERTIFICATES, StepContext> {
  readonly type = 'rotate_certificates';
  readonly table = ROTATE_CERTIFICATES;
  readonly steps = this as unknown as Workflow['steps'];

  constructor(
    private readonly certificates: NodeCertificates,
    private readonly resources: DeploymentResources,
    private readonly turns: NodeTurns,
    private readonly ledger: DeploymentLedger,
  ) {}

  /** A node that does not report would not apply the certificate and would block all others. */
  async checking_nodes({ operation, signal }: StepContext) {
    const missing = await this.turns.missing(operation, signal);
    return missing === null ? hop('issuing_certificate') : nap('5s', missing);
  }

  async issuing_certificate({ operation }: StepContext) {
    return hop('waiting_for_nodes', { write: await this.certificates.next(operation) });
  }

  async waiting_for_nodes({ operation, signal }: StepContext) {
    const missing = await this.turns.missing(operation, signal);
    return missing === null ? hop('replacing_certificate') : nap('2s', missing);
  }

  async replacing_certificate({ operation }: StepContext) {
    const facts = await this.resources.facts(deploymentOf(operation));
    return done({
      write: async () => {
        await this.ledger.certificatesRotated(operation, facts, await this.certificates.replace(operation));
      },
    });
  }

  async restoring_nodes({ operation, signal }: StepContext) {
    const missing = await this.turns.missing(operation, signal);
    return missing === null ? done() : nap('2s', missing);
  }

  /**
   * Publishes the old certificate in the transaction that starts the undo. So a worker that lost the lease cannot
   * publish another one.
   */
  async undoing(operation: OperationRow): Promise<void> {
    await this.certificates.withdraw(operation);
  }

  /** The old certificate is valid, so the operation fails, but not the deployment. */
  async failed(operation: OperationRow, failure: Failure): Promise<void> {
    await this.ledger.failed(operation, await this.resources.facts(deploymentOf(operation)), failure);
  }
}
