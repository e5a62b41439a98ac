import { Module } from '@nestjs/common';
import { CertificateKeeper } from './certificate-keeper.js';
import { CertificateLedger } from './certificate-ledger.js';

/** What is done with certificates by itself, for the processes that work. */
@Module({ providers: [CertificateKeeper, CertificateLedger] })
export class CertificateKeepingModule {}
