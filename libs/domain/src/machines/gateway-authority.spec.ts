import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayAuthority, hasRootCertificate } from './gateway-authority.js';

const certificate = (text: string): string => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
/** A root, and an intermediate authority that the root signed. Their keys are deleted. */
const ROOT = `-----BEGIN CERTIFICATE-----
MIIBeDCCAR+gAwIBAgIUCePWq7avSvPuf9lLU2LIAY3IHiAwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHVGVzdCBDQTAeFw0yNjExMjUwNDExNDZaFw0yNjExMjcwNDEx
NDZaMBIxEDAOBgNVBAMMB1Rlc3QgQ0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AAQMy02TIb8uz1bBJzKqU9RCeblCjRnmeVpcAjd7Y27nCYi9GabAVDeIacKVMKgB
C8XYNpXs+s6qfcLZNSfIXaZjo1MwUTAdBgNVHQ4EFgQU4fkNZh0t0ROaXfyo9yvJ
fTUALLQwHwYDVR0jBBgwFoAU4fkNZh0t0ROaXfyo9yvJfTUALLQwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBwNnEXxr3V9T77Tyj9Ml3Oc7SkFmcR
U/fHNNX0fauejAIgLceHjV4PzBM3RKg66KF6ZDtqUt82w15c3bcCfzbqMQc=
-----END CERTIFICATE-----
`;
const INTERMEDIATE = `-----BEGIN CERTIFICATE-----
MIIBgjCCASmgAwIBAgIUbXSQyabPOAkHSF76nebNJ8ZKj7IwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHVGVzdCBDQTAeFw0yNjExMjUwNDE3MjdaFw0yNjExMjcwNDE3
MjdaMBwxGjAYBgNVBAMMEVRlc3QgSW50ZXJtZWRpYXRlMFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAEuvzAjljBirIIVIjz/im1+V7IuTeJQYCK9y/d5fhY8DzKq7aW
31wy8hyZIuDfqJSZ16VHZwDWRVRnpX9kuw3KfaNTMFEwDwYDVR0TAQH/BAUwAwEB
/zAdBgNVHQ4EFgQUd9Fqe7cDm4kY4UBdGdwXHPl/hVkwHwYDVR0jBBgwFoAU4fkN
Zh0t0ROaXfyo9yvJfTUALLQwCgYIKoZIzj0EAwIDRwAwRAIgLyvHjbNgC+wosVTY
m+ViXm5Wbnwh5R1Qr4XtOXBgmL4CIALmUhQUByeUsz2gWPK5M/352mGmEaGmDbCZ
EfJ1l0b8
-----END CERTIFICATE-----
`;
const KEY = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n';

describe('gatewayAuthority', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landlord-authority-'));
    await writeFile(join(folder, 'chain'), `${KEY}${certificate('LEAF')}${certificate('ROOT')}`);
    await writeFile(join(folder, 'ca'), `subject=CN\n${certificate('AAAA')}${KEY}${certificate('BBBB')}`);
    await writeFile(join(folder, 'key'), KEY);
  });
  afterAll(() => rm(folder, { recursive: true }));
  const of = (AGENT_CA?: string, TLS_CERT?: string): string | null =>
    gatewayAuthority({ AGENT_CA: AGENT_CA && join(folder, AGENT_CA), TLS_CERT: TLS_CERT && join(folder, TLS_CERT) });

  it('is the last certificate of TLS_CERT, or all certificates of AGENT_CA, and never a private key', () => {
    expect(of(undefined, 'chain')).toBe(certificate('ROOT'));
    expect(of('ca', 'chain')).toBe(`${certificate('AAAA')}${certificate('BBBB')}`);
    expect(of()).toBeNull();
    expect(of('key')).toBeNull();
  });
});

describe('hasRootCertificate', () => {
  it.each([
    ['a root', ROOT, true],
    ['an intermediate authority', INTERMEDIATE, false],
    ['both', `${INTERMEDIATE}${ROOT}`, true],
    ['no certificate', KEY, false],
    ['damaged bytes', certificate('AAAA'), false],
  ])('of %s', (_, pem, expected) => {
    expect(hasRootCertificate(pem)).toBe(expected);
  });
});
