// The library requires this import before its own.
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
  type Extension,
} from '@peculiar/x509';
import type { CertificateAuthority, KeyedCertificate } from '@libs/persistence/runtime';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
/** Clocks of clients may be slow. */
const HEAD_START_MS = 5 * 60_000;
const SERIAL_BYTES = 16;

/** Ten years. Must not be less than the validity of the signed certificates. */
export const AUTHORITY_DAYS = 3_653;
export const CERTIFICATE_DAYS = 90;

/** The content of a deployment's certificate. */
export interface CertificateRequest {
  /** For people. Clients check the names. */
  subject: string;
  /** Domain names and IP addresses. */
  names: readonly string[];
  now: Date;
}

/** Creates a new authority: ECDSA P-256, ten years, for server certificates directly below it. */
export async function makeAuthority(subject: string, now: Date): Promise<KeyedCertificate> {
  const keys = await freshKeys();
  const frame = frameOf(now, AUTHORITY_DAYS);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...frame,
    name: [{ CN: [subject] }],
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return keyed(frame, certificate, keys);
}

/** Creates a server certificate for the names: ECDSA P-256, 90 days. */
export async function makeCertificate(
  authority: CertificateAuthority,
  { subject, names, now }: CertificateRequest,
): Promise<KeyedCertificate> {
  const keys = await freshKeys();
  const frame = frameOf(now, CERTIFICATE_DAYS);
  const signer = new X509Certificate(authority.certificate);
  const certificate = await X509CertificateGenerator.create({
    ...frame,
    subject: [{ CN: [subject] }],
    issuer: signer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await importedKey(authority.privateKey),
    signingAlgorithm: ALGORITHM,
    extensions: [...(await serverExtensions(keys.publicKey, signer)), namesExtension(names)],
  });
  return keyed(frame, certificate, keys);
}

async function serverExtensions(publicKey: webcrypto.CryptoKey, signer: X509Certificate): Promise<Extension[]> {
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    await SubjectKeyIdentifierExtension.create(publicKey),
    await AuthorityKeyIdentifierExtension.create(signer.publicKey),
  ];
}

const namesExtension = (names: readonly string[]): Extension =>
  new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value })));

/** Whole seconds: a certificate has no fractions, and the stored times must equal its times. */
function frameOf(now: Date, days: number) {
  const notBefore = new Date(Math.floor((now.getTime() - HEAD_START_MS) / 1000) * 1000);
  const notAfter = new Date(notBefore.getTime() + HEAD_START_MS + days * DAY_MS);
  const serial = randomBytes(SERIAL_BYTES);
  // Sets the first bits, so that the number is neither negative nor shorter than other serial numbers.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return { notBefore, notAfter, serialNumber: serial.toString('hex') };
}

async function keyed(
  { serialNumber, notBefore, notAfter }: ReturnType<typeof frameOf>,
  certificate: X509Certificate,
  { privateKey }: webcrypto.CryptoKeyPair,
): Promise<KeyedCertificate> {
  const key = await webcrypto.subtle.exportKey('pkcs8', privateKey);
  return {
    serial: serialNumber.toUpperCase(),
    certificate: `${certificate.toString('pem')}\n`,
    privateKey: `${PemConverter.encode(key, 'PRIVATE KEY')}\n`,
    notBefore,
    notAfter,
  };
}

const freshKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

function importedKey(pem: string): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), ALGORITHM, false, ['sign']);
}
