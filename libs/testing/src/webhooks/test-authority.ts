import 'reflect-metadata';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { runDirectory } from '../postgres/create-test-database.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const A_DAY_MS = 86_400_000;

/** The certificate of a server on this machine, and its authority. */
export interface TestAuthority {
  /** File with the certificate of the authority, for NODE_EXTRA_CA_CERTS of processes that must trust the server. */
  caFile: string;
  /** For localhost and all IPv4 addresses of this machine, PEM. */
  cert: string;
  key: string;
}

/**
 * The authority of this test run. All suites share it, so that they can share clouds that trust it. `address`: one that this machine got during
 * the run; then the authority is for suites with this address.
 */
export async function testAuthority(address?: string): Promise<TestAuthority> {
  const file = join(runDirectory(), `test-authority${address === undefined ? '' : `-${address}`}.json`);
  if (!existsSync(file)) await make(file);
  return JSON.parse(readFileSync(file, 'utf8')) as TestAuthority;
}

const addressesOfThisMachine = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address);

async function make(file: string): Promise<void> {
  // Loaded on use, because few suites need it.
  const x509 = await import('@peculiar/x509');
  const validity = { notBefore: new Date(Date.now() - A_DAY_MS), notAfter: new Date(Date.now() + A_DAY_MS) };
  const [caKeys, keys] = await Promise.all([keyPair(), keyPair()]);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Landlord tests',
    keys: caKeys,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const names = new x509.SubjectAlternativeNameExtension([
    ...addressesOfThisMachine().map((value) => ({ type: 'ip' as const, value })),
    { type: 'dns', value: 'localhost' },
  ]);
  const leaf = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: ALGORITHM,
    ...validity,
    extensions: [names],
  });
  const exported = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${exported}\n-----END PRIVATE KEY-----\n`;
  const id = randomUUID();
  const caFile = join(runDirectory(), `test-authority-${id}.pem`);
  writeFileSync(caFile, ca.toString('pem'));
  const draft = `${file}.${id}`;
  writeFileSync(draft, JSON.stringify({ caFile, cert: leaf.toString('pem'), key } satisfies TestAuthority));
  try {
    // Two workers may come first. The first link wins, and both use its authority.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

const keyPair = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
