import { Inject, Injectable } from '@nestjs/common';
import type { DeploymentId } from '@libs/domain';
import { Database } from '@libs/persistence';
import {
  CertificateAuthoritiesRepository,
  DeploymentCertificatesRepository,
  type CertificateAuthority,
  type IssuedCertificate,
} from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { Installation } from '../platform/index.js';
import { CERTIFICATE_DAYS, makeAuthority, makeCertificate } from './make-certificate.js';

/** Signs certificates of deployments with the installation's own authority. */
@Injectable()
export class CertificateIssuer {
  constructor(
    private readonly database: Database,
    private readonly authorities: CertificateAuthoritiesRepository,
    private readonly certificates: DeploymentCertificatesRepository,
    private readonly installation: Installation,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  /**
   * Signs a new certificate for the addresses that clients use. The certificate has an effect only after it is stored.
   * Must not run in a transaction.
   */
  async issue(deploymentId: DeploymentId): Promise<IssuedCertificate> {
    const authority = await this.authority();
    const names = await this.certificates.names(deploymentId, this.config.BASE_DOMAIN);
    const now = await this.authorities.now();
    const certificate = await makeCertificate(authority, { subject: `deployment ${deploymentId}`, names, now });
    return { ...certificate, authorityId: authority.id, names };
  }

  /**
   * Created at the first use, and again when the authority would expire before its certificates. A lock ensures that
   * one process creates it.
   */
  private async authority(): Promise<CertificateAuthority> {
    const authority = await this.authorities.find(CERTIFICATE_DAYS);
    if (authority) return authority;
    return this.database.transaction(async () => {
      await this.authorities.lock();
      const other = await this.authorities.find(CERTIFICATE_DAYS);
      if (other) return other;
      const subject = `Landlord ${this.installation.name}`;
      return this.authorities.insert(await makeAuthority(subject, await this.authorities.now()));
    });
  }
}
