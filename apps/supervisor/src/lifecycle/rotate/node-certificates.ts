import { Injectable } from '@nestjs/common';
import {
  DeploymentCertificatesRepository,
  NodeDocumentsRepository,
  type ActiveCertificate,
} from '@libs/persistence/runtime';
import type { OperationRow } from '@libs/workflow';
import { CertificateIssuer } from '../../certificates/index.js';
import { deploymentOf } from '../subject.js';

/** The TLS certificate of the nodes of a deployment. All nodes present the same one. */
@Injectable()
export class NodeCertificates {
  constructor(
    private readonly certificates: DeploymentCertificatesRepository,
    private readonly documents: NodeDocumentsRepository,
    private readonly issuer: CertificateIssuer,
  ) {}

  /** Issues the first certificate if the deployment has none. Returns the write that gives it to the nodes. */
  async begin(operation: OperationRow): Promise<() => Promise<void>> {
    if (await this.certificates.find(deploymentOf(operation))) return async () => undefined;
    return this.give(operation, 'active');
  }

  /** Issues the next certificate. Returns the write that gives it to the nodes. */
  async next(operation: OperationRow): Promise<() => Promise<void>> {
    return this.give(operation, 'next');
  }

  /**
   * Makes the next certificate the active one when all nodes present it, and returns it. Runs in the transaction of the
   * caller.
   */
  async replace(operation: OperationRow): Promise<ActiveCertificate | null> {
    await this.certificates.replace(deploymentOf(operation));
    return this.certificates.find(deploymentOf(operation));
  }

  /** Withdraws the next certificate from all nodes. Runs in the transaction of the caller. */
  async withdraw(operation: OperationRow): Promise<void> {
    await this.certificates.withdraw(deploymentOf(operation));
    await this.documents.publishAll(deploymentOf(operation), operation.trace_id);
  }

  private async give(operation: OperationRow, status: 'active' | 'next'): Promise<() => Promise<void>> {
    const id = deploymentOf(operation);
    const issued = await this.issuer.issue(id);
    return async () => {
      await this.certificates.insert(id, status, issued);
      await this.documents.publishAll(id, operation.trace_id);
    };
  }
}
