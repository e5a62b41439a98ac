import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProblems } from './config.js';

const REQUIRED = { DATABASE_URL: 'postgres://host/landlord', LANDLORD_SECRET_KEYS: `k1:${'A'.repeat(43)}=` };

describe('Contradictions between settings of the Supervisor', () => {
  const directory = mkdtempSync(join(tmpdir(), 'supervisor-settings-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  const fileWith = (name: string, content: string): string => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
  const problems = (environment: NodeJS.ProcessEnv): string[] =>
    findProblems({ ...REQUIRED, ...environment }).map(({ name, expected }) => `${name} ${expected}`);

  it('are found between given values and defaults', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ ALERT_HIGH_PERCENT: '70' })).toEqual([
      'ALERT_RESOLVED_PERCENT must not be above ALERT_HIGH_PERCENT',
    ]);
    expect(problems({ GATEWAY_HOST: '0.0.0.0', LANDLORD_ROLE: 'api' })).toEqual([]);
    expect(problems({ GATEWAY_HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^GATEWAY_HOST must be 127/)]);
  });

  it.each([
    [undefined, 'aws'],
    ['http://gateway.example:4001', 'aws'],
    ['https://127.0.0.1:4001', 'gcp'],
    ['https://[::1]:4001', 'gcp'],
    ['https://localhost:4001', 'gcp'],
  ])('are an AGENT_PUBLIC_URL that other machines cannot use, when nodes run on machines: %s', (url, cloud) => {
    const provider = `LANDLORD_PROVIDER_${cloud.toUpperCase()}`;

    expect(problems({ [provider]: 'machines', AGENT_PUBLIC_URL: url })).toEqual([
      `AGENT_PUBLIC_URL must be an https URL that other machines reach, because ${provider} is machines`,
    ]);
    expect(problems({ [provider]: 'machines', AGENT_PUBLIC_URL: 'https://gateway.example:4001' })).toEqual([]);
    expect(problems({ [provider]: 'local', AGENT_PUBLIC_URL: url })).toEqual([]);
  });

  it('are not reported for malformed values', () => {
    expect(problems({ ALERT_HIGH_PERCENT: 'many' })).toEqual(['ALERT_HIGH_PERCENT must be a number']);
  });

  it('include values in the files that NAME_FILE names', () => {
    const GATEWAY_HOST_FILE = fileWith('host', '0.0.0.0\n');
    const pem = fileWith('pem', 'no PEM');

    expect(problems({ GATEWAY_HOST_FILE })).toEqual([expect.stringMatching(/^GATEWAY_HOST must be 127/)]);
    const withTls = { TLS_CERT_FILE: fileWith('cert', pem), TLS_KEY_FILE: fileWith('key', pem) };
    expect(problems({ GATEWAY_HOST_FILE, ...withTls })).toEqual([
      expect.stringMatching(/^TLS_CERT .* are not a certificate/),
    ]);
  });
});
