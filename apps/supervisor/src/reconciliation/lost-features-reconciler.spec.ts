import { Logger } from '@nestjs/common';
import { IncidentsRepository } from '@libs/persistence/platform';
import { RuntimesRepository } from '@libs/persistence/runtime';
import { WorkflowBench } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { LostFeaturesReconciler } from './lost-features-reconciler.js';

class OnePass extends LostFeaturesReconciler {
  once(): Promise<void> {
    return this.pass();
  }
}

describe('Features that the drivers of a deployment have lost', () => {
  let bench: WorkflowBench;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());

  it('open one incident, which ends when the drivers have them again', async () => {
    const { deploymentId } = await LifecycleFixture.ordered(bench, 1);
    await bench.rows(
      `update deployments set features = '{"encryption": "real", "backup": "real", "dedicated": "none"}'`,
    );
    const announce = (features: object) =>
      bench.rows(
        `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version, features)
         values ('local', '', '', '{*}', '{}', 'embedded', '1', '1', $1)
         on conflict (cell) do update set features = excluded.features`,
        [JSON.stringify({ aws: features })],
      );
    const open = () =>
      bench.rows(`select subject, detail from incidents where kind = 'feature_lost' and closed_at is null`);
    const { database } = bench;
    const config = { SUPERVISOR_CELL: 'local' } as SupervisorConfig;
    const reconciler = new OnePass(new RuntimesRepository(database), new IncidentsRepository(database), config);

    await announce({ encryption: 'real', backup: 'played' });
    await reconciler.once();
    expect(await open()).toEqual([]);

    await announce({ backup: 'real' });
    await reconciler.once();
    await reconciler.once();
    const incident = { subject: `local deployment ${deploymentId}` };
    expect(await open()).toEqual([{ ...incident, detail: expect.stringMatching(/created with: encryption\.$/) }]);

    await announce({ encryption: 'real', backup: 'real' });
    await reconciler.once();
    expect(await open()).toEqual([]);

    // New deployments get another broker, and the nodes keep theirs.
    const brokers = (embedded: object) =>
      bench.rows('update cells set features = $1, brokers = $2', [
        JSON.stringify({ aws: {} }),
        JSON.stringify({ iggy: { features: { aws: {} } }, ...embedded }),
      ]);
    await brokers({ embedded: { features: { aws: { encryption: 'real', backup: 'real' } } } });
    await reconciler.once();
    expect(await open()).toEqual([]);

    await brokers({});
    await reconciler.once();
    expect(await open()).toEqual([
      { ...incident, detail: expect.stringMatching(/created with: backup, encryption\.$/) },
    ]);
  });
});
