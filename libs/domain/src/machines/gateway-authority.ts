import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----\r?\n[A-Za-z0-9+/=\s]+?-----END CERTIFICATE-----/g;

/** The certificates in a PEM text, and nothing else of the text: the file may also contain a private key. */
export const certificatesIn = (pem: string): string[] => pem.match(CERTIFICATE) ?? [];

/**
 * The authority that machines trust, as PEM: the certificates of AGENT_CA, or the last certificate of TLS_CERT. Null when neither is
 * set. The gateway sends these bytes, and the operator's command prints their hash.
 */
export function gatewayAuthority({
  AGENT_CA,
  TLS_CERT,
}: {
  AGENT_CA?: string | undefined;
  TLS_CERT?: string | undefined;
}): string | null {
  const file = AGENT_CA ?? TLS_CERT;
  if (file === undefined) return null;
  const certificates = certificatesIn(readFileSync(file, 'utf8'));
  const trusted = AGENT_CA === undefined ? certificates.slice(-1) : certificates;
  return trusted.length === 0 ? null : `${trusted.join('\n')}\n`;
}

/**
 * Whether a certificate of the PEM text signed itself. Node.js trusts only such a certificate: with the certificate of an intermediate
 * authority alone, it refuses the connection, although curl accepts it.
 */
export const hasRootCertificate = (pem: string): boolean => certificatesIn(pem).some(isRoot);

function isRoot(pem: string): boolean {
  try {
    const certificate = new X509Certificate(pem);
    return certificate.checkIssued(certificate);
  } catch {
    return false;
  }
}
