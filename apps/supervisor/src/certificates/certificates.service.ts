import { Injectable } from '@nestjs/common';
import { DomainError, Written } from '@libs/domain';
import { type ActingCaller } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { DeploymentCertificatesRepository, type ActiveCertificate } from '@libs/persistence/runtime';
import { DeploymentOperations, type AcceptedOperationView } from '../platform/index.js';
import { EXPIRING_DAYS } from './certificate-terms.js';
import type { CertificateView } from './dto/certificate.view.js';

@Injectable()
export class CertificatesService {
  constructor(
    private readonly certificates: DeploymentCertificatesRepository,
    private readonly operations: DeploymentOperations,
    private readonly ledger: Ledger,
  ) {}

  /** @throws DomainError certificate_not_found */
  async get({ deployment }: ActingCaller): Promise<CertificateView> {
    const certificate = await this.certificates.find(deployment.id);
    if (!certificate)
      throw new DomainError(
        'certificate_not_found',
        'The deployment has no certificate yet: its nodes offer unencrypted ports only.',
      );
    return toView(certificate);
  }

  /** @throws DomainError state_conflict */
  async rotate(actor: ActingCaller): Promise<Written<AcceptedOperationView>> {
    const operation = await this.operations.start(actor, 'rotate_certificates', ['initialized', 'degraded']);
    await this.ledger.record({
      audit: 'deployment_certificates_rotated',
      author: actor.author,
      context: actor.context,
      data: null,
      traceId: actor.traceId,
    });
    const { id } = actor.deployment;
    return new Written({ deployment_id: id, operation_id: operation }, { deployment: id, operation });
  }
}

const toView = (certificate: ActiveCertificate): CertificateView => ({
  serial: certificate.serial,
  names: certificate.names,
  not_before: certificate.notBefore.toISOString(),
  not_after: certificate.notAfter.toISOString(),
  issued_at: certificate.issuedAt.toISOString(),
  status: statusOf(certificate),
  ca_certificate: certificate.caCertificate,
});

function statusOf({ daysLeft }: ActiveCertificate): CertificateView['status'] {
  if (daysLeft < 0) return 'expired';
  return daysLeft < EXPIRING_DAYS ? 'expiring' : 'valid';
}
