import { Module } from '@nestjs/common';
import { CertificateReconciler } from './certificate-reconciler.js';
import { CertificateLedger } from './certificate-ledger.js';

/** Automatic work on certificates. For worker processes. */
@Module({
  providers: [CertificateReconciler, CertificateLedger],
})
export class CertificateReconcilerModule {}
