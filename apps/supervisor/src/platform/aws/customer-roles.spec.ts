import { placeAccount } from '@libs/cloud';
import { Secrets } from '@libs/persistence';
import { DeploymentAccountsRepository } from '@libs/persistence/runtime';
import { given, WorkflowBench } from '@libs/testing';
import { CustomerRoles } from './customer-roles.js';

const ACCOUNT = '111122223333';
const REGION = 'eu-central-1';
const roleNamed = (name: string): string => `arn:aws:iam::${ACCOUNT}:role/${name}`;

describe('The role for the account of a customer', () => {
  let bench: WorkflowBench;
  let accounts: DeploymentAccountsRepository;
  let number = 0;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    accounts = new DeploymentAccountsRepository(
      bench.database,
      new Secrets(`k1:${Buffer.alloc(32).toString('base64')}`),
    );
  });
  afterAll(() => bench.close());

  const tenant = () => given.tenant({ rows: (text: string, values?: unknown[]) => bench.rows(text, values) } as never);
  async function deploy(owner: Awaited<ReturnType<typeof tenant>>, role: string, region = REGION): Promise<void> {
    number += 1;
    const [row] = await bench.rows<{ id: number }>(
      `insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier, cluster,
         storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count, telemetry_days,
         monthly_compute, monthly_storage, pricing_version)
       values ($1, $2, $3, $4, $4, 'byoc', 'aws', 'eu', $5, 'local', 'small', 'cluster',
         'network_balanced', 100, 1, 'same_region', 'single_az', 1, 14, 0, 0, '1') returning id`,
      [owner.tenantId, owner.divisionId, owner.environmentId, `d${number}`, region],
    );
    const access = { identity_arn: roleNamed(role), external_id: `of tenant ${owner.tenantId}` };
    await accounts.insert(Number(row?.id), { accountId: ACCOUNT, vpcId: 'vpc-1', vpcCidr: null, access });
  }
  const find = (tenantId: number, region = REGION) =>
    new CustomerRoles(accounts).find(placeAccount(ACCOUNT, tenantId), region);

  it('is that of the newest deployment of the tenant in the account and region', async () => {
    const owner = await tenant();
    await deploy(owner, 'old');
    await deploy(owner, 'new');
    await deploy(owner, 'elsewhere', 'eu-west-1');

    expect(await find(owner.tenantId)).toEqual({
      account_id: ACCOUNT,
      identity_arn: roleNamed('new'),
      external_id: `of tenant ${owner.tenantId}`,
    });
    expect(await find(owner.tenantId, 'us-east-1')).toBeNull();
  });

  it('is never that of another tenant that names the same account', async () => {
    const [owner, other] = [await tenant(), await tenant()];
    await deploy(owner, 'of the owner');

    expect(await find(other.tenantId)).toBeNull();
    await deploy(other, 'of the other');
    expect((await find(owner.tenantId))?.identity_arn).toBe(roleNamed('of the owner'));
    expect((await find(other.tenantId))?.identity_arn).toBe(roleNamed('of the other'));
  });

  it('is unknown for a place that names no tenant', async () => {
    await deploy(await tenant(), 'role');

    expect(await new CustomerRoles(accounts).find(ACCOUNT, REGION)).toBeNull();
  });
});
