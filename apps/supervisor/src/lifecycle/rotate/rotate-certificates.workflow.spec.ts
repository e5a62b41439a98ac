import { X509Certificate } from 'node:crypto';
import { OPERATIONS } from '@libs/domain';
import { DeploymentCertificatesRepository, NodeDocumentsRepository, NodesRepository } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { ROTATE_CERTIFICATES } from './rotate-certificates.workflow.js';

const STEPS = Object.keys(ROTATE_CERTIFICATES).filter((step) => step !== 'restoring_nodes');
const NODES = 3;

describe('rotate_certificates', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const recorded = async ({ deploymentId }: LifecycleFixture): Promise<string> =>
    (await new DeploymentCertificatesRepository(bench.database, bench.secrets).find(deploymentId))?.serial ?? '';

  /** The serials in the newest documents of the nodes, each once. */
  const onNodes = async ({ deploymentId }: LifecycleFixture): Promise<string[]> => {
    const documents = new NodeDocumentsRepository(bench.database, bench.secrets);
    const nodes = await new NodesRepository(bench.database).list(deploymentId);
    const rows = await Promise.all(nodes.map(({ id }) => documents.find(id)));
    const serials = rows.map((document) => new X509Certificate(document?.spec.certs?.certificate ?? '').serialNumber);
    return [...new Set(serials)];
  };

  /** All certificates by status, with the number of stored keys. */
  const history = async ({ deploymentId }: LifecycleFixture) =>
    bench.rows<{ status: string; keys: number }>(
      `select status, count(private_key) as keys from deployment_certificates where deployment_id = $1 group by status order by status`,
      [deploymentId],
    );

  const begin = async () => {
    const fixture = await LifecycleFixture.serving(bench, NODES);
    const before = await recorded(fixture);
    const operation = await fixture.start('rotate_certificates');
    return {
      fixture,
      before,
      drive: (around: Around) =>
        bench.drive(
          operation,
          () => bench.runner([fixture.workflows.certificates], around),
          () => fixture.agentsReport(),
        ),
      expectDone: async () => {
        const after = await recorded(fixture);
        expect(after).not.toBe(before);
        expect(await onNodes(fixture)).toEqual([after]);
        expect(await history(fixture)).toEqual([
          { status: 'active', keys: 1 },
          { status: 'replaced', keys: 0 },
        ]);
        expect((await fixture.recorded()).events).toEqual([
          'deployment_initialized',
          'deployment_certificates_rotated',
        ]);
      },
      expectUndone: async () => {
        expect(await recorded(fixture)).toBe(before);
        expect(await onNodes(fixture)).toEqual([before]);
        expect(await history(fixture)).toContainEqual({ status: 'active', keys: 1 });
        expect((await history(fixture)).filter(({ keys }) => keys !== 0)).toHaveLength(1);
        expect(await fixture.status()).toBe('initialized');
        expect((await fixture.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };

  stepSuites('rotate_certificates', begin, STEPS, STEPS);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([
      OPERATIONS.rotate_certificates.firstStep,
      OPERATIONS.rotate_certificates.steps,
    ]);
  });

  it('shows the old certificate until every node has the new one, and gives it to all nodes at once', async () => {
    const { fixture, before, drive } = await begin();
    const states: boolean[] = [];

    await drive(async (step, run) => {
      if (step === 'waiting_for_nodes')
        states.push((await recorded(fixture)) === before, (await onNodes(fixture)).length === 1);
      return run();
    });

    expect(states.length).toBeGreaterThan(0);
    expect(new Set(states)).toEqual(new Set([true]));
    expect(await onNodes(fixture)).not.toEqual([before]);
  });

  it('waits for a node that does not apply the new certificate, and withdraws it from all nodes after the time limit', async () => {
    const { fixture, before } = await begin();
    const [operation] = await bench.rows<{ id: number }>(
      `select id from operations where deployment_id = $1 and type = 'rotate_certificates'`,
      [fixture.deploymentId],
    );
    await fixture.agentsReport();
    let rounds = 0;

    const status = await bench.drive(
      Number(operation?.id),
      () => bench.runner([fixture.workflows.certificates]),
      async () => {
        rounds += 1;
        // One node applies no document while the new certificate is offered.
        await fixture.agentsReport();
        await bench.rows(
          `update nodes n set observed_generation = d.generation - 1 from node_documents d, operations o
            where d.node_id = n.id and n.deployment_id = $1 and n.ordinal = 2 and o.id = $2 and o.step = 'waiting_for_nodes'`,
          [fixture.deploymentId, operation?.id],
        );
        if (rounds === 10)
          await bench.rows(`update operations set step_entered_at = now() - interval '11 minutes' where id = $1`, [
            operation?.id,
          ]);
      },
    );

    expect(status).toBe('failed');
    expect(await onNodes(fixture)).toEqual([before]);
    expect(await history(fixture)).toEqual([
      { status: 'active', keys: 1 },
      { status: 'withdrawn', keys: 0 },
    ]);
  });
});
