import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import {
  DeploymentCertificatesRepository,
  NodeDocumentsRepository,
  type ActiveCertificate,
} from '@libs/persistence/runtime';
import type { OperationRow } from '@libs/workflow';
import { CertificateIssuer } from '../../certificates/index.js';
import { deploymentOf } from '../subject.js';

/** What the nodes of a deployment show clients that connect by TLS: the same on all of them. */
@Injectable()
export class NodeCertificates {
  private readonly certificates: DeploymentCertificatesRepository;
  private readonly documents: NodeDocumentsRepository;

  constructor(
    database: Database,
    secrets: Secrets,
    private readonly issuer: CertificateIssuer,
  ) {
    this.certificates = new DeploymentCertificatesRepository(database, secrets);
    this.documents = new NodeDocumentsRepository(database, secrets);
  }

  /** Issues the first one unless there is one; answers what is to be written, by which the nodes get it. */
  async begin(operation: OperationRow): Promise<() => Promise<void>> {
    if (await this.certificates.find(deploymentOf(operation))) return async () => undefined;
    return this.give(operation, 'active');
  }

  /** Issues the next one; answers what is to be written, by which the nodes get it. */
  async next(operation: OperationRow): Promise<() => Promise<void>> {
    return this.give(operation, 'next');
  }

  /** All nodes show the next one: answers it. In the transaction of the caller. */
  async replace(operation: OperationRow): Promise<ActiveCertificate | null> {
    await this.certificates.replace(deploymentOf(operation));
    return this.certificates.find(deploymentOf(operation));
  }

  /** Takes the next one back from whoever has it. In the transaction of the caller. */
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
