import { Module } from '@nestjs/common';
import { CertificateReconciler } from './certificate-reconciler.js';
import { CertificateLedger } from './certificate-ledger.js';

/** What is done with certificates by itself, for the processes that work. */
@Module({ providers: [CertificateReconciler, CertificateLedger] })
export class CertificateReconcilerModule {}
