import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { WorkflowBench } from '@libs/testing';
import { CertificateAuthoritiesRepository, DeploymentCertificatesRepository } from '@libs/persistence/runtime';
import type { SupervisorConfig } from '../config.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { Installation } from '../platform/installation.js';
import { CertificateIssuer } from './certificate-issuer.js';

const CONFIG = { BASE_DOMAIN: 'test.local' } as unknown as SupervisorConfig;
const DAY_MS = 86_400_000;

describe('The issuer of certificates', () => {
  let bench: WorkflowBench;
  let deploymentId: number;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    ({ deploymentId } = await LifecycleFixture.serving(bench, 2));
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.rows('delete from deployment_certificates');
    await bench.rows('delete from certificate_authorities');
  });

  const issuer = () =>
    new CertificateIssuer(
      bench.database,
      new CertificateAuthoritiesRepository(bench.database, bench.secrets),
      new DeploymentCertificatesRepository(bench.database, bench.secrets),
      new Installation('ours'),
      CONFIG,
    );
  const authorities = () =>
    bench.rows<{ id: number; certificate: string; private_key: string; serial: string }>(
      'select id, certificate, private_key, serial from certificate_authorities order by id',
    );
  const days = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

  it('signs for the domain and every address that clients use, for 90 days, with a new key each time', async () => {
    const [domain] = await bench.rows<{ name: string }>(
      `select code || '.us-east-1.aws.test.local' as name from deployments where id = $1`,
      [deploymentId],
    );

    const issued = await issuer().issue(deploymentId);

    const [authority] = await authorities();
    const [certificate, ca] = [
      new X509Certificate(issued.certificate),
      new X509Certificate(authority?.certificate ?? ''),
    ];
    expect(issued.names).toEqual([domain?.name, '127.0.0.1'].sort());
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkHost(domain?.name ?? '')).toBe(domain?.name);
    expect([certificate.checkIP('127.0.0.2'), certificate.checkHost('example.com')]).toEqual([undefined, undefined]);
    expect(certificate.checkIssued(ca) && certificate.verify(ca.publicKey)).toBe(true);
    expect([certificate.ca, ca.ca]).toEqual([false, true]);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(certificate.serialNumber).toBe(issued.serial);
    expect(days(certificate.validFrom, certificate.validTo)).toBeCloseTo(90, 1);
    expect([Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]).toEqual([
      +issued.notBefore,
      +issued.notAfter,
    ]);
    expect(days(ca.validFrom, ca.validTo)).toBeCloseTo(3_653, 1);
    expect(authority?.private_key).toMatch(/^k1\./);
    // OpenSSL accepts the two only when they belong together.
    createSecureContext({ cert: issued.certificate, key: issued.privateKey });
    const other = await issuer().issue(deploymentId);
    expect(other.serial).not.toBe(issued.serial);
    expect(other.privateKey).not.toBe(issued.privateKey);
  });

  it('creates one authority for concurrent first certificates', async () => {
    await bench.rows('delete from certificate_authorities');

    const issued = await Promise.all(Array.from({ length: 4 }, () => issuer().issue(deploymentId)));

    const [authority, ...others] = await authorities();
    expect(others).toEqual([]);
    expect(new Set(issued.map(({ authorityId }) => authorityId))).toEqual(new Set([Number(authority?.id)]));
  });

  it('creates the next authority before the first one expires earlier than its certificates', async () => {
    await bench.rows('delete from certificate_authorities');
    const first = await issuer().issue(deploymentId);
    await bench.rows(`update certificate_authorities set not_after = now() + interval '91 days'`);
    const still = await issuer().issue(deploymentId);
    await bench.rows(`update certificate_authorities set not_after = now() + interval '89 days'`);

    const then = await issuer().issue(deploymentId);

    expect(still.authorityId).toBe(first.authorityId);
    expect(then.authorityId).not.toBe(first.authorityId);
    expect(await authorities()).toHaveLength(2);
  });
});
