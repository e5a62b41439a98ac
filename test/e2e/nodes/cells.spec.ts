import { given, TestCloud } from '@libs/testing';

describe('A deployment of another cell', () => {
  let cloud: TestCloud;
  const far = 'https://far.example.test';

  beforeAll(async () => {
    cloud = await TestCloud.start();
    await cloud.rows(
      `insert into cells (cell, url, agent_url, regions, cloud_drivers, broker_driver, broker_version, version)
       values ('far', $1, $1, '{aws/eu-west-1}', '{"aws": "local"}', 'embedded', '1.2.0', '0')`,
      [far],
    );
    const order = {
      name: 'far',
      cloud: 'aws',
      region: 'eu-west-1',
      tier: 'small',
      cluster: 'cluster',
      managed_tier: 'standard',
    };
    expect((await cloud.main().post(`${cloud.environment}/deployments/managed`, order)).status).toBe(202);
  });
  afterAll(() => cloud.stop());

  it('is shown by the main API with the address of its supervisor', async () => {
    const { body } = await cloud.main().get(`${cloud.environment}/deployments/1`);

    expect(body).toMatchObject({ supervisor_url: far, region: 'eu-west-1' });
  });

  it('is not found here, and the error gives a permitted reader its address', async () => {
    const answer = await cloud.runtime().get('/deployments/1');

    expect(answer).toBeProblem('deployment_not_found', { status: 404, detail: `This deployment is served by ${far}.` });
  });

  it('does not reveal its address to a key without access', async () => {
    const other = await given.tenant(cloud);
    const key = await given.key(cloud, { tenantId: other.tenantId });

    const answer = await cloud.runtime(key).get('/deployments/1');

    expect(answer).toBeProblem('deployment_not_found');
    expect(answer.body.detail).not.toContain('far');
  });

  it('waits for its own cell: no worker of this cell changes its operation', async () => {
    const [row] = await cloud.rows('select status, queue, lease_token from operations');

    expect(row).toEqual({ status: 'pending', queue: 'operations.far', lease_token: 0 });
  });
});
