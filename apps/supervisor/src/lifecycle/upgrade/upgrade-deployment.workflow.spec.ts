import { OPERATIONS, type UpgradeMemo, type UpgradeShape } from '@libs/domain';
import { NodeDocumentsRepository } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { UPGRADE_DEPLOYMENT } from './upgrade-deployment.workflow.js';

const STEPS = Object.keys(UPGRADE_DEPLOYMENT).filter((step) => step !== 'restoring_nodes');
const NODES = 3;

const SMALL: UpgradeShape = {
  tier: 'small',
  managed_tier: 'standard',
  storage: { type: 'network_balanced', size: 100 },
  memory_mib: 4096,
  monthly_compute: '10.00',
  monthly_storage: '2.00',
  pricing_version: '2026-11',
};
const LARGE: UpgradeShape = {
  ...SMALL,
  tier: 'large',
  storage: { type: 'network_balanced', size: 200 },
  memory_mib: 16_384,
  monthly_compute: '40.00',
  monthly_storage: '4.00',
};
const HARDWARE: UpgradeMemo = { from: SMALL, to: LARGE, is_hardware: true };
const TERMS: UpgradeMemo = { from: SMALL, to: { ...SMALL, managed_tier: 'enterprise' }, is_hardware: false };

describe('upgrade_deployment', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const serving = (): Promise<LifecycleFixture> => LifecycleFixture.serving(bench, NODES);

  const sizes = async ({ deploymentId }: LifecycleFixture): Promise<string[]> => {
    const rows = await bench.rows<{ size: string }>(
      `select variant || ' ' || memory_mib || ' ' || storage_size as size from nodes where deployment_id = $1 order by ordinal`,
      [deploymentId],
    );
    return rows.map(({ size }) => size);
  };
  const metered = ({ deploymentId }: LifecycleFixture) =>
    bench.rows<{ usd: string; tier: string }>(
      `select monthly_compute_usd::text as usd, shape ->> 'tier' as tier from metering_intervals where deployment_id = $1 order by id`,
      [deploymentId],
    );
  /** Returns the number of nodes that have not applied their newest document. */
  const away = async ({ deploymentId }: LifecycleFixture): Promise<number> => {
    const { nodes, serving: up } = await new NodeDocumentsRepository(bench.database, bench.secrets).convergence(
      deploymentId,
    );
    return nodes - up;
  };

  const begin = async () => {
    const fixture = await serving();
    const operation = await fixture.start('upgrade_deployment', { ...HARDWARE });
    return {
      drive: (around: Around) =>
        bench.drive(
          operation,
          () => bench.runner([fixture.workflows.upgrade], around),
          () => fixture.restOfTheWorld(),
        ),
      expectDone: async () => {
        expect(await fixture.status()).toBe('initialized');
        expect(await sizes(fixture)).toEqual(Array(NODES).fill('large 16384 200'));
        expect(await fixture.recorded()).toEqual({
          audit: ['deployment_initialized'],
          events: ['deployment_initialized', 'deployment_upgraded'],
        });
        expect(await metered(fixture)).toEqual([
          { usd: '10.00', tier: 'small' },
          { usd: '40.00', tier: 'large' },
        ]);
      },
      expectUndone: async () => {
        expect(await fixture.status()).toBe('initialized');
        expect(await sizes(fixture)).toEqual(Array(NODES).fill('small 4096 100'));
        expect(await away(fixture)).toBe(0);
        expect(await metered(fixture)).toHaveLength(1);
        expect((await fixture.recorded()).events.at(-1)).toBe('deployment_operation_failed');
      },
    };
  };

  stepSuites('upgrade_deployment', begin, STEPS, STEPS);

  it('starts at the step in the catalogue of operations', () => {
    expect([STEPS[0], STEPS.length]).toEqual([
      OPERATIONS.upgrade_deployment.firstStep,
      OPERATIONS.upgrade_deployment.steps,
    ]);
  });

  it('changes one node after the other, and the next one only when all serve', async () => {
    const fixture = await serving();
    const operation = await fixture.start('upgrade_deployment', { ...HARDWARE });
    const awayBefore: number[] = [];

    await bench.drive(
      operation,
      () =>
        bench.runner([fixture.workflows.upgrade], async (step, run) => {
          if (step === 'resizing_node') awayBefore.push(await away(fixture));
          return run();
        }),
      () => fixture.restOfTheWorld(),
    );

    expect(awayBefore).toEqual([0, 0, 0, 0]);
  });

  it('of terms only changes no node, and meters the new terms from now on', async () => {
    const fixture = await serving();
    const documents = () =>
      bench.rows(
        'select generation from node_documents d join nodes n on n.id = d.node_id where n.deployment_id = $1',
        [fixture.deploymentId],
      );
    const before = await documents();
    const operation = await fixture.start('upgrade_deployment', { ...TERMS });

    const status = await bench.drive(operation, () => bench.runner([fixture.workflows.upgrade]));

    expect(status).toBe('succeeded');
    expect(await documents()).toEqual(before);
    expect(await fixture.status()).toBe('initialized');
    expect(await metered(fixture)).toHaveLength(2);
  });
});
