import { Module } from '@nestjs/common';
import { CertificateIssuer } from './certificate-issuer.js';

/** For the workflows that give certificates to nodes. */
@Module({
  providers: [CertificateIssuer],
  exports: [CertificateIssuer],
})
export class CertificateIssuingModule {}
