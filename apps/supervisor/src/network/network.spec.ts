import type { DeploymentId, NodeId } from '@libs/domain';
import { NodesRepository } from '@libs/persistence/runtime';
import { given, type ApiAnswer } from '@libs/testing';
import { TestSupervisor } from '../../test/test-supervisor.fixture.js';

const PEERING = {
  ...{ name: 'office', peer_vpc_id: 'vpc-0123456789abcdef0', peer_owner_id: '111122223333' },
  peer_vpc_cidr: '10.20.0.0/16',
};

describe('The network of a deployment', () => {
  let cloud: TestSupervisor;
  let deploymentId: DeploymentId;
  let nodeId: NodeId;
  let path: string;
  let peerings: string;

  beforeAll(async () => {
    cloud = await TestSupervisor.open({ BASE_DOMAIN: 'brokers.test' });
  });
  afterAll(() => cloud.close());
  beforeEach(async () => {
    const deployment = await cloud.deployment();
    ({ deploymentId, nodeId } = deployment);
    path = `${deployment.path}/network`;
    peerings = `${path}/aws/vpc_peering`;
    await cloud.rows(`update deployment_runtimes set cidr = '10.8.0.0/16' where deployment_id = $1`, [deploymentId]);
  });

  const request = (over: object = {}, key?: string): Promise<ApiAnswer> =>
    cloud.runtime(key).post(peerings, { ...PEERING, ...over });
  const list = async () => (await cloud.runtime().get(peerings)).body;
  /** No worker runs here. Ends all operations. */
  const settled = () =>
    cloud.rows(`update operations set status = 'succeeded', finished_at = now() where deployment_id = $1`, [
      deploymentId,
    ]);
  const requested = async (): Promise<number> => {
    const { headers } = await request();
    await settled();
    return Number(headers.get('ld-peering'));
  };

  it('shows the addresses of the nodes and the domain', async () => {
    const place = { imageId: 'image', privateIp: '10.8.0.4', publicIp: '203.0.113.4', zone: 'zone-a' };
    await cloud.asSupervisor((database) => new NodesRepository(database).place(nodeId, place));

    const { status, body } = await cloud.runtime().get(`${path}/info`);

    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ network_mode: 'public', cidr: '10.8.0.0/16', network_id: null, subnets: [], load_balancer: null },
      ...{ domain: expect.stringMatching(/^d-\d+\.us-east-1\.aws\.brokers\.test$/) },
      ports: { tcp: null, http: null, websocket: null, udp: null },
      nodes: [{ node_id: nodeId, private_ip: '10.8.0.4', public_ip: '203.0.113.4' }],
    });
  });

  it('gets a peering by one operation, with instructions for the other side', async () => {
    const accepted = await request();

    const [id, operation] = ['ld-peering', 'ld-operation'].map((name) => Number(accepted.headers.get(name)));
    expect(accepted.status).toBe(204);
    expect(await list()).toEqual([
      expect.objectContaining({
        ...{ id, name: 'office', status: 'initiating_request', accepter_cidr: '10.20.0.0/16' },
        ...{ requester_cidr: '10.8.0.0/16', requester_region: 'us-east-1', accepter_region: 'us-east-1' },
      }),
    ]);
    expect(await cloud.operations(deploymentId)).toEqual([
      {
        ...{ id: operation, type: 'create_private_connection', status: 'pending' },
        memo: expect.objectContaining({ private_connection_id: id }),
      },
    ]);
    expect((await cloud.runtime().get(`${peerings}/${id}/instructions`)).body).toMatchObject({
      ...{ status: 'initiating_request', steps: [], values: { accepter_cidr: '10.20.0.0/16' } },
    });
    expect(await cloud.audit(deploymentId)).toEqual([
      {
        type: 'private_connection_created',
        data: { private_connection_id: id, kind: 'vpc_peering', name: 'office' },
      },
    ]);
  });

  it('loses a peering by one operation, and refuses a second deletion', async () => {
    const id = await requested();

    const accepted = await cloud.runtime().delete(`${peerings}/${id}`);

    expect(accepted.status).toBe(204);
    expect(await list()).toMatchObject([{ id, status: 'deleting' }]);
    expect((await cloud.operations(deploymentId)).at(-1)).toMatchObject({
      ...{ id: Number(accepted.headers.get('ld-operation')), type: 'delete_private_connection' },
    });
    expect(await cloud.runtime().delete(`${peerings}/${id}`)).toBeProblem('state_conflict', { state: 'deleting' });
    expect((await cloud.audit(deploymentId)).map(({ type }) => type)).toEqual([
      'private_connection_created',
      'private_connection_deleted',
    ]);
  });

  it.each([
    ['the network of the deployment', { peer_vpc_cidr: '10.8.1.0/24' }, ['10.8.1.0/24', '10.8.0.0/16']],
    [
      'the network of another peering',
      { name: 'second', peer_vpc_cidr: '10.20.1.0/24' },
      ['10.20.1.0/24', '10.20.0.0/16'],
    ],
  ])('refuses a peering with %s, and names both networks', async (_, over, cidrs) => {
    await requested();

    expect(await request(over)).toBeProblem('cidr_overlap', { status: 400, cidrs });
    expect(await list()).toHaveLength(1);
  });

  it('lets a new peering use the network of one that the other side has rejected', async () => {
    await requested();
    await cloud.rows(`update private_connections set status = 'rejected'`);

    expect((await request({ name: 'second' })).status).toBe(204);
  });

  it('refuses a peering with a misspelled VPC', async () => {
    const answer = await request({ peer_vpc_id: 'vpc' });

    expect(answer).toBeProblem('validation_failed');
    expect(answer.body.field_issues.map(({ path: at }: { path: string }) => at)).toEqual(['/peer_vpc_id']);
    expect(await list()).toEqual([]);
  });

  it('refuses what the drivers of the deployment do not do', async () => {
    await cloud.rows(`update deployments set features = '{"backup": "real"}'`);

    expect(await request()).toBeProblem('feature_unavailable', { status: 409, feature: 'private_networking' });
    expect(await list()).toEqual([]);
  });

  it('refuses a taken name, another cloud, a lower managed tier and a deployment without a network', async () => {
    await requested();
    const set = (assignment: string) =>
      cloud.rows(`update deployments set ${assignment} where id = $1`, [deploymentId]);

    expect(await request({ name: 'OFFICE', peer_vpc_cidr: '10.30.0.0/16' })).toBeProblem('name_taken');
    expect(await cloud.runtime().get(`${path}/gcp/psc`)).toBeProblem('private_networking_not_supported');
    await set(`managed_tier = 'standard'`);
    expect(await request()).toBeProblem('plan_feature_required', { feature: 'managed_tier' });
    await set(`managed_tier = 'enterprise'`);
    await cloud.rows(`update deployment_runtimes set status = 'creating' where deployment_id = $1`, [deploymentId]);
    expect(await request()).toBeProblem('state_conflict', { state: 'creating' });
    expect(await list()).toHaveLength(1);
  });

  it('keeps the endpoint services apart from the peerings', async () => {
    const id = await requested();
    const services = `${path}/aws/private_link`;

    expect((await cloud.runtime().post(services, { name: 'office' })).status).toBe(204);
    expect((await cloud.runtime().get(services)).body).toMatchObject([
      { name: 'office', state: 'pending', acceptance_required: true, allowed_principals: [] },
    ]);
    expect(await cloud.runtime().delete(`${services}/${id}`)).toBeProblem('service_not_found');
    expect(await list()).toMatchObject([{ id, status: 'initiating_request' }]);
  });

  it('needs the permission to read it, and the permission to manage it', async () => {
    const reader = await given.key(cloud, { permissions: { environment: ['deployment:network:read'] } });
    const stranger = await given.key(cloud, { permissions: { environment: ['deployment:read'] } });

    expect((await cloud.runtime(reader).get(`${path}/info`)).status).toBe(200);
    expect(await request({}, reader)).toBeProblem('insufficient_permissions', {
      permission: 'deployment:network:manage',
    });
    expect(await cloud.runtime(stranger).get(`${path}/info`)).toBeProblem('insufficient_permissions');
    expect(await list()).toEqual([]);
  });

  it('of another organization is not found and not shown', async () => {
    const foreign = await cloud.foreignDeployment('their-broker');
    const answers = [
      await cloud.runtime().get(`${foreign.path}/network/info`),
      await cloud.runtime().get(`${foreign.path}/network/aws/vpc_peering`),
      await cloud.runtime().post(`${foreign.path}/network/aws/vpc_peering`, PEERING),
    ];

    for (const answer of answers) {
      expect(answer).toBeProblem('deployment_not_found', { status: 404 });
      expect(JSON.stringify(answer.body)).not.toContain('their-broker');
    }
    expect(await cloud.operations(foreign.deploymentId)).toEqual([]);
  });
});
