import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import { DeploymentCertificatesRepository, NodeDocumentsRepository } from '@libs/persistence/runtime';
import type { OperationRow } from '@libs/workflow';
import { CertificateIssuer } from '../certificates/index.js';
import { deploymentOf } from './subject.js';

/** The certificate that a deployment begins with. */
@Injectable()
export class FirstCertificate {
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

  /** Issues it unless there is one; answers what is to be written, by which the nodes get it. */
  async prepare(operation: OperationRow): Promise<() => Promise<void>> {
    const id = deploymentOf(operation);
    if (await this.certificates.find(id)) return async () => undefined;
    const issued = await this.issuer.issue(id);
    return async () => {
      await this.certificates.insert(id, 'active', issued);
      await this.documents.publishAll(id, operation.trace_id);
    };
  }
}
