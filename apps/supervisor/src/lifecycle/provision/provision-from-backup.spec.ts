import { BackupsRepository, NodeDocumentsRepository, NodesRepository } from '@libs/persistence/runtime';
import { stepSuites, WorkflowBench, type Around } from '@libs/testing';
import { BackupFixture } from '../../../test/backup.fixture.js';
import { LifecycleFixture } from '../../../test/lifecycle.fixture.js';
import { PROVISION_DEPLOYMENT } from './provision-deployment.workflow.js';

const STEPS = Object.keys(PROVISION_DEPLOYMENT).filter((step) => step !== 'releasing_resources');
const UNDOABLE = STEPS.filter((step) => step !== 'initialized');

describe('provision_deployment from a backup', () => {
  let bench: WorkflowBench;
  let source: LifecycleFixture;
  let backup: number;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    source = await LifecycleFixture.serving(bench, 3, { isEncrypted: true });
    backup = await new BackupFixture(source).taken();
  });
  afterAll(() => bench.close());

  const ordered = async () => {
    const restoreSource = source.deploymentId;
    const fixture = await LifecycleFixture.ordered(bench, 3, { isEncrypted: true, restoreSource });
    const operation = await fixture.start('provision_deployment', { source_id: restoreSource, backup_id: backup });
    const drive = (around?: Around, between = () => fixture.agentsReport()): Promise<string> =>
      bench.drive(operation, () => bench.runner([fixture.workflows.provision], around), between);
    return { fixture, operation, drive };
  };
  const documentsOf = async ({ deploymentId }: LifecycleFixture) => {
    const nodes = await new NodesRepository(bench.database).list(deploymentId);
    const documents = new NodeDocumentsRepository(bench.database, bench.secrets);
    return Promise.all(nodes.map(async ({ id }) => (await documents.find(id))?.spec));
  };
  const keysOf = async (fixture: LifecycleFixture) =>
    (await documentsOf(fixture)).map((spec) => spec?.broker.encryption?.key);
  const sourceState = () =>
    bench.rows(
      `select r.status, n.held_at, d.hash from deployment_runtimes r join nodes n on n.deployment_id = r.deployment_id
         join node_documents d on d.node_id = n.id where r.deployment_id = $1 order by n.id`,
      [source.deploymentId],
    );

  const begin = async () => {
    const { fixture, drive } = await ordered();
    const before = await sourceState();
    return {
      drive,
      expectDone: async () => {
        expect(await fixture.status()).toBe('initialized');
        const [runtime] = await bench.rows<{ restore_source: number | null }>(
          'select restore_source from deployment_runtimes where deployment_id = $1',
          [fixture.deploymentId],
        );
        expect(runtime?.restore_source).toBeNull();
        expect(
          (await documentsOf(fixture)).map((spec) => [spec?.broker.want, spec?.broker.encryption?.source]),
        ).toEqual(Array(3).fill(['running', undefined]));
        expect(await sourceState()).toEqual(before);
      },
      expectUndone: async () => {
        expect(await fixture.status()).toBe('failed');
        expect(fixture.cloud.resources.size).toBe(0);
        expect(await sourceState()).toEqual(before);
      },
    };
  };

  stepSuites('provision_deployment from a backup', begin, STEPS, UNDOABLE);

  it('gives each node the data of the node with the same number before the brokers start', async () => {
    const { fixture, drive } = await ordered();
    const expected = new Set<string>();
    let orders: { node_id: number; objects: { data: { key: string } } }[] = [];

    await drive(undefined, async () => {
      const open = await bench.rows<(typeof orders)[number]>(
        `select o.node_id, o.objects from node_orders o join nodes n on n.id = o.node_id
          where n.deployment_id = $1 and o.kind = 'restore_data' and o.status = 'open' order by n.ordinal`,
        [fixture.deploymentId],
      );
      if (open.length > 0) {
        orders = open;
        const [ownKeys, theirs] = [await keysOf(fixture), await keysOf(source)];
        const specs = await documentsOf(fixture);
        expect(specs.map((spec) => spec?.broker.encryption?.source?.key)).toEqual(theirs);
        expect(ownKeys).not.toEqual(theirs);
      }
      for (const spec of await documentsOf(fixture))
        if (spec && (await fixture.status()) !== 'bootstrapping_agent') expected.add(spec.broker.want);
      await fixture.agentsReport();
    });

    const snapshots = await new BackupsRepository(bench.database).snapshots(source.deploymentId, backup);
    expect(orders.map(({ objects }) => objects.data.key)).toEqual(snapshots.map(({ object_key: key }) => key));
    expect([...expected]).toEqual(['stopped']);
    expect(await fixture.status()).toBe('initialized');
  });

  it('keeps the backup until the new deployment has ended its creation', async () => {
    const { operation, drive } = await ordered();
    const backups = new BackupsRepository(bench.database);

    expect(await backups.markDeleting(source.deploymentId, backup)).toBe(false);
    await bench.rows(`update operations set cancel_reason = 'enough' where id = $1`, [operation]);
    await drive();
    await expect(
      bench.database.transaction(async () => {
        expect(await backups.markDeleting(source.deploymentId, backup)).toBe(true);
        throw new TypeError('undone');
      }),
    ).rejects.toThrow('undone');
  });

  it('fails before it creates a resource when the backup is gone', async () => {
    const restoreSource = source.deploymentId;
    const fixture = await LifecycleFixture.ordered(bench, 1, { restoreSource });
    const memo = { source_id: restoreSource, backup_id: backup + 1_000 };
    const operation = await fixture.start('provision_deployment', memo);
    await bench.drive(operation, () => bench.runner([fixture.workflows.provision]));

    expect(await fixture.status()).toBe('failed');
    expect(fixture.cloud.creations).toEqual([]);
    expect(await bench.rows('select reason from operations where id = $1', [operation])).toEqual([
      { reason: 'the backup no longer exists' },
    ]);
  });
});
