import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CloudError } from '@libs/cloud';
import { AccountAccessRepository, RuntimesRepository } from '@libs/persistence/runtime';
import { FakeCloud, WorkflowBench } from '@libs/testing';
import type { SupervisorConfig } from '../config.js';
import { CloudProviders } from '../platform/index.js';
import { LifecycleFixture } from '../../test/lifecycle.fixture.js';
import { AccountAccessReconciler } from './account-access-reconciler.js';

const REFUSED = 'Landlord cannot change the nodes';

class OnePass extends AccountAccessReconciler {
  once(): Promise<void> {
    return this.pass(new AbortController().signal);
  }
}

describe('The accounts of customers that refuse Landlord', () => {
  let bench: WorkflowBench;
  let cloud: FakeCloud;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    bench = await WorkflowBench.open();
  });
  afterAll(() => bench.close());
  beforeEach(() => {
    cloud = new FakeCloud();
  });

  /** A deployment that serves in the account of a customer. */
  async function theirs(account: string): Promise<LifecycleFixture> {
    const fixture = await LifecycleFixture.serving(bench, 1, {}, cloud);
    const { deploymentId } = fixture;
    await bench.rows(
      `insert into deployment_accounts (deployment_id, account_id, access) values ($1, '111122223333', 'sealed')`,
      [deploymentId],
    );
    await bench.rows('update cloud_resources set account = $2 where deployment_id = $1', [deploymentId, account]);
    return fixture;
  }
  const once = (): Promise<void> =>
    new OnePass(new AccountAccessRepository(bench.database), new CloudProviders(new Map([['aws', cloud]])), {
      SUPERVISOR_CELL: 'local',
      NODE_UNREACHABLE_SECONDS: 120,
    } as SupervisorConfig).once();
  const readStatus = async ({ deploymentId }: LifecycleFixture) => {
    const { status, status_reason } = (await new RuntimesRepository(bench.database).find(deploymentId)) ?? {};
    return { status, status_reason };
  };
  const refuse = ({ deploymentId }: LifecycleFixture): void => {
    cloud.refuses = (name) =>
      name === `ld-test-${deploymentId}-network` ? { code: 'denied', actions: ['sts:AssumeRole'] } : null;
  };

  it('are named in the status reason of their deployments, and of no other, until they accept Landlord again', async () => {
    const [first, other] = [await theirs('111122223333/1'), await theirs('111122223333/2')];
    await once();
    expect(await readStatus(first)).toEqual({ status: 'initialized', status_reason: null });

    refuse(first);
    await once();

    const reason = `${REFUSED}: the fake cloud refuses: denied`;
    expect(await readStatus(first)).toEqual({ status: 'initialized', status_reason: reason });
    expect(await readStatus(other)).toEqual({ status: 'initialized', status_reason: null });
    cloud.refuses = () => null;
    await once();
    expect(await readStatus(first)).toEqual({ status: 'initialized', status_reason: null });
  });

  it('are named after the nodes that do not serve, and not during an operation', async () => {
    const fixture = await theirs('111122223333/3');
    refuse(fixture);
    await once();
    const become = (status: string, reason: string) =>
      bench.rows('update deployment_runtimes set status = $2, status_reason = $3 where deployment_id = $1', [
        ...[fixture.deploymentId, status, reason],
      ]);

    await become('degraded', '1 of 1 nodes are not in service');
    expect((await readStatus(fixture)).status_reason).toBe(
      `1 of 1 nodes are not in service; ${REFUSED}: the fake cloud refuses: denied`,
    );
    await become('deleting', 'the provider deletes 3 resources');
    expect((await readStatus(fixture)).status_reason).toBe('the provider deletes 3 resources');
  });

  it('accept Landlord if only the keys had ended', async () => {
    const fixture = await theirs('111122223333/4');
    const describes = jest.spyOn(cloud, 'describe');
    describes.mockRejectedValueOnce(new CloudError({ code: 'denied', actions: [] }, 'the keys have ended'));
    await bench.rows('delete from deployment_accounts where deployment_id <> $1', [fixture.deploymentId]);
    await bench.rows('delete from cloud_resources where deployment_id <> $1', [fixture.deploymentId]);

    await once();

    expect(describes).toHaveBeenCalledTimes(2);
    expect((await readStatus(fixture)).status_reason).toBeNull();
  });

  it('keep the last answer while the provider does not decide', async () => {
    const fixture = await theirs('111122223333/5');
    refuse(fixture);
    await once();
    const before = (await readStatus(fixture)).status_reason;
    cloud.refuses = () => ({ code: 'unavailable' });

    await once();

    expect(before).toContain(REFUSED);
    expect((await readStatus(fixture)).status_reason).toBe(before);
  });
});
