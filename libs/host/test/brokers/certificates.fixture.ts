import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { NodeCertificate } from '@libs/domain';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
let issued = 0;

/** A new certificate for 127.0.0.1 with its authority. */
export async function aCertificate(): Promise<NodeCertificate & { ca: string; serial: string }> {
  issued += 1;
  const serial = `4${issued.toString(16).padStart(7, '0')}`;
  const times = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const [root, keys] = [await keyPair(), await keyPair()];
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...times,
    name: `CN=authority ${serial}`,
    keys: root,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  const certificate = await X509CertificateGenerator.create({
    ...times,
    serialNumber: serial,
    subject: 'CN=node',
    issuer: authority.subjectName,
    publicKey: keys.publicKey,
    signingKey: root.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: certificate.toString('pem'),
    private_key: PemConverter.encode(key, 'PRIVATE KEY'),
    ca: authority.toString('pem'),
    serial: serial.toUpperCase(),
  };
}

const keyPair = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
