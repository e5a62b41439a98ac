import { Logger } from '@nestjs/common';
import { CredentialsRepository, NodeDocumentsRepository, NodesRepository } from '@libs/persistence/runtime';
import { WorkflowBench } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { EndedPasswordsReconciler } from './ended-passwords-reconciler.js';

class OnePass extends EndedPasswordsReconciler {
  once(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

describe('Previous passwords', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  const reconciler = (cell: string): OnePass => {
    const { database, secrets } = bench;
    const repositories = [
      new CredentialsRepository(database, secrets),
      new NodeDocumentsRepository(database, secrets),
    ] as const;
    return new OnePass(database, ...repositories, { SUPERVISOR_CELL: cell } as SupervisorConfig);
  };

  it('are deleted after their end, from the database and from the documents, and not before', async () => {
    const fixture = await LifecycleFixture.serving(bench, 2);
    const { deploymentId } = fixture;
    await bench.drive(
      await fixture.start('rotate_credentials', { overlap_seconds: 300 }),
      () => bench.runner([fixture.workflows.rotation]),
      () => fixture.agentsReport(),
    );
    const documents = async () => {
      const nodes = await new NodesRepository(bench.database).list(deploymentId);
      const all = nodes.map(({ id }) => new NodeDocumentsRepository(bench.database, bench.secrets).find(id));
      return (await Promise.all(all)).map((document) => [
        document?.generation,
        document?.spec.previous_password !== undefined,
      ]);
    };
    const stored = () =>
      bench.rows('select previous_password, previous_until from deployment_credentials where deployment_id = $1', [
        deploymentId,
      ]);
    const before = await documents();

    await reconciler('local').once();
    expect(await documents()).toEqual(before);
    expect(before.map(([, has]) => has)).toEqual([true, true]);
    await bench.rows(`update deployment_credentials set previous_until = now() - interval '1 second'`);
    await reconciler('another').once();
    expect(await documents()).toEqual(before);
    await Promise.all([reconciler('local').once(), reconciler('local').once()]);

    expect(await documents()).toEqual(before.map(([generation]) => [Number(generation) + 1, false]));
    expect(await stored()).toEqual([{ previous_password: null, previous_until: null }]);
  });
});
