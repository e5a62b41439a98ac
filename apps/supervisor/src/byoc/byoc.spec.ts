import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MISSING_PERMISSIONS_FILE } from '@libs/cloud';
import { given, type ApiAnswer } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

const ACCOUNT_ID = '111122223333';
const ROLE = `arn:aws:iam::${ACCOUNT_ID}:role/landlord`;
const PROJECT = {
  ...{ cloud: 'gcp', region: 'us-central1', project_id: 'my-project', vpc_name: 'default' },
  service_account_email: 'landlord-byoc@my-project.iam.gserviceaccount.com',
};

describe('The validation of an account', () => {
  let cloud: TestSupervisor;
  let externalId: string;

  beforeAll(async () => {
    cloud = await TestSupervisor.open();
    const { tenant_id } = cloud.installation;
    const [tenant] = await cloud.rows<{ external_id: string }>('select external_id from tenants where id = $1', [
      tenant_id,
    ]);
    externalId = tenant?.external_id ?? '';
    // Only saved accounts keep the time of their validation.
    await cloud.rows(
      `insert into cloud_accounts (tenant_id, cloud, name, account_id) values ($1, 'aws', 'Saved', $2)`,
      [tenant_id, ACCOUNT_ID],
    );
  });
  afterAll(() => cloud.close());
  beforeEach(() => cloud.rows('delete from account_validations'));

  const account = (over: object = {}) => ({
    ...{ cloud: 'aws', region: 'eu-central-1', account_id: ACCOUNT_ID, identity_arn: ROLE },
    ...{ external_id: externalId, vpc_id: 'vpc-0123456789abcdef0' },
    ...over,
  });
  const validate = (body: object, key?: string): Promise<ApiAnswer> =>
    cloud.runtime(key).post(`${cloud.environment}/byoc/validate`, body);
  const stamps = () => cloud.rows('select cloud, account_id from account_validations');

  it('stores that a saved account is valid, and creates nothing', async () => {
    const answer = await validate(account());

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ valid: true, missing_permissions: [] });
    expect(await stamps()).toEqual([{ cloud: 'aws', account_id: ACCOUNT_ID }]);
    expect(await cloud.rows('select 1 from operations')).toEqual([]);
    expect(cloud.log()).not.toContain(ROLE);
  });

  it('of an account that is not saved stores nothing', async () => {
    expect((await validate(PROJECT)).body).toEqual({ valid: true, missing_permissions: [] });
    expect(await stamps()).toEqual([]);
  });

  it('names the missing permissions', async () => {
    const missing = { [ACCOUNT_ID]: ['ec2:RunInstances'] };
    await writeFile(join(cloud.directory, MISSING_PERMISSIONS_FILE), JSON.stringify(missing));
    const answer = await validate(account());
    await writeFile(join(cloud.directory, MISSING_PERMISSIONS_FILE), '{}');

    expect(answer.body).toEqual({
      ...{ valid: false, missing_permissions: ['ec2:RunInstances'] },
      error: expect.stringContaining('permissions are missing'),
    });
    expect(await stamps()).toEqual([]);
  });

  it('never uses a role with the external id of another organization', async () => {
    const { tenantId } = await given.tenant(cloud);
    const [other] = await cloud.rows<{ external_id: string }>('select external_id from tenants where id = $1', [
      tenantId,
    ]);

    const { body } = await validate(account({ external_id: other?.external_id }));

    expect(body).toEqual({ valid: false, error: expect.stringContaining('external_id'), missing_permissions: [] });
    expect(JSON.stringify(body)).not.toContain(externalId);
    expect(await stamps()).toEqual([]);
  });

  it.each([
    ['an unknown region', { region: 'us-central1' }, ['/region']],
    ['no external id', { external_id: undefined }, ['/external_id']],
    ['a member of the other cloud', { project_id: 'my-project' }, ['/project_id']],
  ])('is refused with %s', async (_, over, fields) => {
    const answer = await validate(account(over));

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map(({ path }: { path: string }) => path)).toEqual(fields);
    expect(await stamps()).toEqual([]);
  });

  it('needs a plan with byoc_enabled', async () => {
    const { tenantId, divisionId, environmentId } = await given.tenant(cloud, 'basic');
    const key = await given.key(cloud, { tenantId });
    const path = `/tenants/${tenantId}/divisions/${divisionId}/environments/${environmentId}/byoc/validate`;

    expect(await cloud.runtime(key).post(path, account())).toBeProblem('plan_feature_required', {
      feature: 'byoc_enabled',
    });
  });

  it('needs the permission to manage deployments', async () => {
    const key = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });

    expect(await validate(account(), key)).toBeProblem('insufficient_permissions', { permission: 'deployment:manage' });
    expect(await stamps()).toEqual([]);
  });

  it('in an environment of another organization is not found', async () => {
    const { tenantId, divisionId, environmentId } = await given.tenant(cloud);
    const below = (tenant: number, division: number): string =>
      `/tenants/${tenant}/divisions/${division}/environments/${environmentId}/byoc/validate`;
    const { tenant_id, division_id } = cloud.installation;

    expect(await cloud.runtime().post(below(tenantId, divisionId), account())).toBeProblem('tenant_not_found');
    expect(await cloud.runtime().post(below(tenant_id, divisionId), account())).toBeProblem('division_not_found');
    expect(await cloud.runtime().post(below(tenant_id, division_id), account())).toBeProblem('environment_not_found');
  });
});
