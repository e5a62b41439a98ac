import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayAuthority } from './gateway-authority.js';

const certificate = (text: string): string => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
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
