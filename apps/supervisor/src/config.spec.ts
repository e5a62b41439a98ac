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

  it('are instances at AWS without an authority that they can trust, and an image that nobody can find', () => {
    const whole = { LANDLORD_PROVIDER_AWS: 'aws', AGENT_PUBLIC_URL: 'https://gateway.example:4001' };
    const authority = fileWith('authority.pem', 'no certificate');

    expect(problems(whole)).toEqual(['AGENT_CA is required with LANDLORD_PROVIDER_AWS=aws, unless TLS_CERT is set']);
    expect(problems({ ...whole, AGENT_CA: authority }).join()).not.toContain('is required with');
    expect(problems({ AWS_IMAGE: 'debian' })).toEqual([
      'AWS_IMAGE must be an image id, or an owner and a name pattern',
    ]);
    expect(problems({ AWS_PROCESSORS: 'x64,mips' })).toEqual(['AWS_PROCESSORS must be x64, arm64 or both']);
  });

  it('are instances at Google Cloud without a project and an authority, and an image that nobody can find', () => {
    const whole = { LANDLORD_PROVIDER_GCP: 'gcp', AGENT_PUBLIC_URL: 'https://gateway.example:4001' };

    expect(problems(whole)).toEqual([
      'GCP_PROJECT is required with LANDLORD_PROVIDER_GCP=gcp',
      'AGENT_CA is required with LANDLORD_PROVIDER_GCP=gcp, unless TLS_CERT is set',
    ]);
    expect(problems({ GCP_PROJECT: 'My Project' })).toEqual([
      'GCP_PROJECT must be the id of a project, such as my-project',
    ]);
    expect(problems({ GCP_IMAGE: 'debian' })).toEqual([
      'GCP_IMAGE must be a project and a family of images, such as debian-cloud/debian-12',
    ]);
    expect(problems({ GCP_PROCESSORS: 'mips' })).toEqual(['GCP_PROCESSORS must be x64, arm64 or both']);
    expect(problems({ LANDLORD_DNS: 'clouddns' })).toEqual([
      'DNS_CLOUDDNS_ZONE is required with LANDLORD_DNS=clouddns',
    ]);
    expect(problems({ DNS_CLOUDDNS_ZONE: 'my-zone' })).toEqual([
      'DNS_CLOUDDNS_ZONE must be <project>/<managed zone>, such as my-project/my-zone',
    ]);
  });

  it('are a driver of names without its server and its key, and a zone without the base domain', () => {
    const DNS_TSIG_KEY = `key "landlord" { algorithm hmac-sha256; secret "${'A'.repeat(43)}="; };`;
    const whole = { DNS_SERVER: '192.0.2.1:5353', DNS_TSIG_KEY };

    expect(problems({ LANDLORD_DNS: 'rfc2136' })).toEqual([
      'DNS_SERVER is required with LANDLORD_DNS=rfc2136',
      'DNS_TSIG_KEY is required with DNS_SERVER; DNS_TSIG_KEY_FILE can name a file',
    ]);
    expect(problems({ DNS_TSIG_KEY })).toEqual(['DNS_SERVER is required with DNS_TSIG_KEY']);
    expect(problems({ ...whole, DNS_ZONE: 'example.com' })).toEqual([
      'DNS_ZONE must contain BASE_DOMAIN, which is landlord.local',
    ]);
    expect(problems({ ...whole, DNS_ZONE: 'ord.local' })).toHaveLength(1);
    expect(problems({ ...whole, LANDLORD_DNS: 'rfc2136', DNS_ZONE: 'LOCAL' })).toEqual([]);
    // Names from before the change of the setting can still be removed.
    expect(problems({ ...whole, LANDLORD_DNS: 'none' })).toEqual([]);
    expect(
      problems({ LANDLORD_DNS: 'rfc2136', DNS_SERVER: 'h', DNS_TSIG_KEY_FILE: fileWith('key', DNS_TSIG_KEY) }),
    ).toEqual([]);
  });

  it('are a driver of names at AWS without its zone, and one of its two keys', () => {
    const whole = { LANDLORD_DNS: 'route53', DNS_ROUTE53_ZONE_ID: 'Z0123456789ABCDEFGHIJ' };
    const [id, secret] = [{ DNS_AWS_ACCESS_KEY_ID: 'AKIA' }, { DNS_AWS_SECRET_ACCESS_KEY: 'secret' }];
    const together = 'DNS_AWS_ACCESS_KEY_ID and DNS_AWS_SECRET_ACCESS_KEY go together';

    expect(problems({ LANDLORD_DNS: 'route53' })).toEqual([
      'DNS_ROUTE53_ZONE_ID is required with LANDLORD_DNS=route53',
    ]);
    expect(problems({ ...whole, ...id })).toEqual([`DNS_AWS_SECRET_ACCESS_KEY ${together}`]);
    expect(problems({ ...whole, ...secret })).toEqual([`DNS_AWS_ACCESS_KEY_ID ${together}`]);
    expect(problems({ ...whole, DNS_ZONE: 'example.com' })).toEqual([
      'DNS_ZONE must contain BASE_DOMAIN, which is landlord.local',
    ]);
    expect(problems({ ...whole, DNS_ROUTE53_ZONE_ID: '/hostedzone/Z1' })).toEqual([
      'DNS_ROUTE53_ZONE_ID must be the id of a hosted zone, such as Z0123456789ABCDEFGHIJ',
    ]);
    expect(problems({ ...whole, ...id, DNS_AWS_SECRET_ACCESS_KEY_FILE: fileWith('secret', 'secret') })).toEqual([]);
    // Names from before the change of the setting can still be removed.
    expect(problems({ ...whole, LANDLORD_DNS: 'none' })).toEqual([]);
  });

  it('never show the key of the DNS server', () => {
    const DNS_TSIG_KEY = 'key "landlord" { algorithm hmac-md5; secret "c2VjcmV0c2VjcmV0c2VjcmV0"; };';

    expect(problems({ LANDLORD_DNS: 'rfc2136', DNS_SERVER: 'h', DNS_TSIG_KEY })).toEqual([
      'DNS_TSIG_KEY must be a key statement with algorithm hmac-sha256, as tsig-keygen writes it',
    ]);
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
