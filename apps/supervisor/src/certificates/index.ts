export { CertificateIssuer } from './certificate-issuer.js';
export { CertificateIssuingModule } from './certificate-issuing.module.js';
export { CertificateReconcilerModule } from './certificate-reconciler.module.js';
export { CertificatesModule } from './certificates.module.js';
