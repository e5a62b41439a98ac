import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { DeploymentCertificatesRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { CertificateReconciler } from './certificate-reconciler.js';
import { CertificateLedger } from './certificate-ledger.js';

/** Automatic work on certificates. For worker processes. */
@Module({
  imports: [PersistenceModule.forFeature([DeploymentCertificatesRepository, RuntimesRepository])],
  providers: [CertificateReconciler, CertificateLedger],
})
export class CertificateReconcilerModule {}
