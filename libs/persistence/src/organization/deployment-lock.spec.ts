import { given, WorkflowBench } from '@libs/testing';
import { DeploymentsRepository } from './deployments.repository.js';

describe('The lock of a deployment that is changed or deleted', () => {
  let bench: WorkflowBench;
  let owner: Awaited<ReturnType<typeof given.tenant>>;

  beforeAll(async () => {
    bench = await WorkflowBench.open();
    owner = await given.tenant({ rows: bench.rows.bind(bench), installation: {} } as never);
    await bench.rows(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version)
       values ($1, $2, $3, 'd', 'c', 'managed', 'aws', 'us', 'us-east-1', 'north', 'small', 'cluster',
         'network_balanced', 100, 1, 'same_region', 'single_az', 1, 14, 0, 0, '1')`,
      [owner.tenantId, owner.divisionId, owner.environmentId],
    );
    await bench.rows(
      `insert into deployment_runtimes (deployment_id, cell, status, peer_secret) values (1, 'north', 'creating', '')`,
    );
  });
  afterAll(() => bench.close());

  /** A row that refers to the deployment, as a step of a running operation inserts one. Refused at once if it would wait. */
  const insertRow = (): Promise<unknown> =>
    bench.rows(`do $$ begin
      set local lock_timeout = '300ms';
      insert into deployment_accounts (deployment_id, account_id, vpc_cidr, access) values (1, 'a', '10.0.0.0/16', '');
    end $$`);

  it('does not block the rows of its operation, which would be a deadlock with the end of this operation', async () => {
    const deployments = new DeploymentsRepository(bench.database);

    await bench.database.transaction(async () => {
      expect(await deployments.findForUpdate(owner.tenantId, owner.environmentId, 1)).toMatchObject({ id: 1 });
      await insertRow();
    });

    expect(await bench.rows('select vpc_cidr from deployment_accounts')).toEqual([{ vpc_cidr: '10.0.0.0/16' }]);
  });
});
