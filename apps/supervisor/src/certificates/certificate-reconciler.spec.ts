import { loadCatalog } from '@libs/catalog';
import { AuditRetention, Ledger } from '@libs/ledger';
import { DeploymentCertificatesRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { WorkflowBench } from '@libs/testing';
import { LedgerRepository } from '@libs/persistence/ledger';
import type { SupervisorConfig } from '../config.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { DeploymentOperations } from '../platform/index.js';
import { CertificateReconciler } from './certificate-reconciler.js';
import { CertificateLedger } from './certificate-ledger.js';

const CONFIG = { SUPERVISOR_CELL: 'local', BASE_DOMAIN: 'test.local' } as unknown as SupervisorConfig;

class CatalogRetention extends AuditRetention {
  readonly daysByPlan = loadCatalog().auditDaysByPlan();
}

/** A keeper that looks when the test calls it, as one process of several. */
class ReconcilerUnderTest extends CertificateReconciler {
  look(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

describe('The reconciler of certificates', () => {
  let bench: WorkflowBench;
  let fixture: LifecycleFixture;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    await bench.rows(`update deployment_runtimes set deleted_at = now() where deleted_at is null`);
    fixture = await LifecycleFixture.serving(bench, 2);
  });

  const reconciler = (): ReconcilerUnderTest => {
    const ledger = new CertificateLedger(
      new Ledger(bench.database, new LedgerRepository(bench.database), new CatalogRetention()),
    );
    const runtimes = new RuntimesRepository(bench.database);
    const operations = new DeploymentOperations(runtimes, bench.operations);
    const certificates = new DeploymentCertificatesRepository(bench.database, bench.secrets);
    return new ReconcilerUnderTest(bench.database, certificates, runtimes, operations, ledger, CONFIG);
  };
  const endsIn = (days: number) =>
    bench.rows(
      `update deployment_certificates set not_after = now() + make_interval(days => $2) where deployment_id = $1 and status = 'active'`,
      [fixture.deploymentId, days],
    );
  const rotations = async (): Promise<number[]> => {
    const rows = await bench.rows<{ id: number }>(
      `select id from operations where deployment_id = $1 and type = 'rotate_certificates' order by id`,
      [fixture.deploymentId],
    );
    return rows.map(({ id }) => Number(id));
  };
  const finish = (id: number | undefined) =>
    bench.drive(
      Number(id),
      () => bench.runner([fixture.workflows.certificates]),
      () => fixture.agentsReport(),
    );
  const certificate = () =>
    new DeploymentCertificatesRepository(bench.database, bench.secrets).find(fixture.deploymentId);

  it('does not renew a certificate that is valid for more than 30 days', async () => {
    await endsIn(31);

    await reconciler().look();

    expect(await rotations()).toEqual([]);
  });

  it('renews a certificate within 30 days of its end once, from any number of processes, without an author', async () => {
    await endsIn(29);
    const before = await certificate();

    await Promise.all([reconciler().look(), reconciler().look(), reconciler().look()]);
    const [first, ...others] = await rotations();
    expect(await finish(first)).toBe('succeeded');
    await Promise.all([reconciler().look(), reconciler().look()]);

    expect(others).toEqual([]);
    expect(await rotations()).toEqual([first]);
    expect((await certificate())?.serial).not.toBe(before?.serial);
    expect((await certificate())?.daysLeft).toBeGreaterThan(88);
    expect(await fixture.recorded()).toEqual({
      audit: ['deployment_initialized', 'deployment_certificates_rotated'],
      events: ['deployment_initialized', 'deployment_certificates_rotated'],
    });
    const [entry] = await bench.rows<{ author_id: unknown }>(
      `select author_id, api_key_id from audit_entries where deployment_id = $1 and type = 'deployment_certificates_rotated'`,
      [fixture.deploymentId],
    );
    expect(entry).toEqual({ author_id: null, api_key_id: null });
  });

  it('issues a certificate for a deployment that has none', async () => {
    await bench.rows('delete from deployment_certificates where deployment_id = $1', [fixture.deploymentId]);

    await reconciler().look();

    const [first] = await rotations();
    expect(await finish(first)).toBe('succeeded');
    expect((await certificate())?.names).toEqual(expect.arrayContaining(['127.0.0.1']));
  });

  it('issues another certificate when the address of a node is not in the certificate', async () => {
    await bench.rows(`update nodes set public_ip = '203.0.113.7' where deployment_id = $1 and ordinal = 2`, [
      fixture.deploymentId,
    ]);

    await reconciler().look();

    const [first] = await rotations();
    expect(await finish(first)).toBe('succeeded');
    expect((await certificate())?.names).toContain('203.0.113.7');
    await reconciler().look();
    expect(await rotations()).toHaveLength(1);
  });

  it.each([
    ['is being changed', async () => void (await fixture.start('upgrade_deployment'))],
    ['is being deleted', async () => void (await setStatus('deleting'))],
    ['is not whole', async () => void (await setStatus('degraded'))],
    ['has a node that is silent', async () => void (await silence())],
    ['could not be renewed an hour ago', async () => failedHoursAgo(1)],
  ])('does not renew when the deployment %s', async (_case, happen) => {
    await endsIn(20);
    await happen();
    const before = await rotations();

    await reconciler().look();

    expect(await rotations()).toEqual(before);
  });

  it('retries a renewal that failed hours ago', async () => {
    await endsIn(20);
    await failedHoursAgo(7);

    await reconciler().look();

    expect(await rotations()).toHaveLength(2);
  });

  it('sends one event for a certificate that ends within 14 days and is not renewed', async () => {
    await endsIn(13);
    await setStatus('degraded');

    await Promise.all([reconciler().look(), reconciler().look()]);
    await reconciler().look();

    const events = await bench.rows<{ event_key: string; subject: string; data: object }>(
      `select event_key, subject, data from outbox where deployment_id = $1 and type = 'certificate_expiring'`,
      [fixture.deploymentId],
    );
    const { id, serial } = (await certificate()) ?? {};
    expect(events).toEqual([
      {
        event_key: `certificate_expiring:${id}`,
        subject: expect.stringMatching(/^The certificate of dep ends on \d{4}-\d{2}-\d{2}$/),
        data: expect.objectContaining({ name: 'dep', serial, not_after: expect.any(String) }),
      },
    ]);
  });

  it('sends no event during a renewal, or for a renewed certificate', async () => {
    await endsIn(13);

    await reconciler().look();
    await finish((await rotations())[0]);
    await reconciler().look();

    expect((await fixture.recorded()).events).toEqual(['deployment_initialized', 'deployment_certificates_rotated']);
  });

  const setStatus = (status: string) =>
    bench.rows('update deployment_runtimes set status = $2 where deployment_id = $1', [fixture.deploymentId, status]);
  const silence = () =>
    bench.rows('update nodes set unreachable_since = now() where deployment_id = $1 and ordinal = 2', [
      fixture.deploymentId,
    ]);
  const failedHoursAgo = async (hours: number): Promise<void> => {
    const id = await fixture.start('rotate_certificates');
    await bench.rows(
      `update operations set status = 'failed', finished_at = now() - make_interval(hours => $2) where id = $1`,
      [id, hours],
    );
  };
});
