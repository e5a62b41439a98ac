export { CertificateIssuer } from './certificate-issuer.js';
export { CertificateIssuingModule } from './certificate-issuing.module.js';
export { CertificateKeepingModule } from './certificate-keeping.module.js';
export { CertificatesModule } from './certificates.module.js';
