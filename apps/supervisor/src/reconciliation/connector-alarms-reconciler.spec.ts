import { Logger } from '@nestjs/common';
import { Ledger } from '@libs/ledger';
import { ConnectorInstancesRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { WorkflowBench } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { ConnectorAlarmsReconciler } from './connector-alarms-reconciler.js';

class OnePass extends ConnectorAlarmsReconciler {
  once(): Promise<void> {
    return this.pass();
  }
}

describe('Alarms about connectors', () => {
  let bench: WorkflowBench;
  let lifecycle: LifecycleFixture;
  let instance: number;
  beforeEach(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
    lifecycle = await LifecycleFixture.ordered(bench, 1);
    const [row] = await bench.rows<{ id: number }>(
      `insert into connector_instances (deployment_id, type, plugin, plugin_version, key, name, status, config_id)
       select deployment_id, 'sink', 'http', '1', 'hook', 'Hook', 'active', id from configs where deployment_id = $1 returning id`,
      [lifecycle.deploymentId],
    );
    instance = Number(row?.id);
  });
  afterEach(() => bench.close());

  const reconcilers = (cell: string): OnePass => {
    const { database } = bench;
    const ledger = lifecycle.module.get(Ledger, { strict: false });
    const config = { SUPERVISOR_CELL: cell } as SupervisorConfig;
    const [instances, runtimes] = [new ConnectorInstancesRepository(database), new RuntimesRepository(database)];
    return new OnePass(database, instances, runtimes, ledger, config);
  };
  const passes = async (): Promise<void> => {
    await Promise.all([reconcilers('local').once(), reconcilers('local').once(), reconcilers('elsewhere').once()]);
  };
  const becomes = (status: string, reason: string | null = null) =>
    bench.rows('update connector_instances set status = $2, status_reason = $3, status_since = now() where id = $1', [
      instance,
      status,
      reason,
    ]);
  const events = () => bench.rows<any>(`select type, data from outbox where type like 'connector_%' order by id`);

  it('are told once for each failure and for each recovery', async () => {
    await passes();
    expect(await events()).toEqual([]);

    await becomes('failed', 'the destination returned 500');
    await passes();
    await passes();
    const data = { instance_id: instance, key: 'hook', name: 'Hook', connector: 'sink:http' };
    const failed = { type: 'connector_failed', data: { ...data, reason: 'the destination returned 500' } };
    expect(await events()).toEqual([failed]);

    await becomes('inactive');
    await passes();
    expect(await events()).toEqual([failed]);

    await becomes('active');
    await passes();
    await passes();
    expect(await events()).toEqual([failed, { type: 'connector_recovered', data: { ...data, reason: null } }]);
  });

  it('are not told for a failure that has ended before, or for a deployment that is being deleted', async () => {
    const before = (await events()).length;
    await becomes('failed', 'short');
    await becomes('active');
    await passes();
    await bench.rows(`update deployment_runtimes set status = 'deleting' where deployment_id = $1`, [
      lifecycle.deploymentId,
    ]);
    await becomes('failed', 'late');
    await passes();

    expect(await events()).toHaveLength(before);
  });
});
