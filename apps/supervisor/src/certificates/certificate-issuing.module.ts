import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { CertificateAuthoritiesRepository, DeploymentCertificatesRepository } from '@libs/persistence/runtime';
import { CertificateIssuer } from './certificate-issuer.js';

/** For the workflows that give certificates to nodes. */
@Module({
  imports: [PersistenceModule.forFeature([CertificateAuthoritiesRepository, DeploymentCertificatesRepository])],
  providers: [CertificateIssuer],
  exports: [CertificateIssuer],
})
export class CertificateIssuingModule {}
