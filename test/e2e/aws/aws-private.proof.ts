import { jest } from '@jest/globals';
import { eventually, TestDeployment } from '@libs/testing';
import { OTHER_ACCOUNT, otherAccount } from '../../../apps/supervisor/test/moto-account.fixture.js';
import { MULTI_AZ } from '../machines/machine-world.js';
import { AWS_WORLD_WAIT_MS, AwsWorld, describeWithAws } from './aws-world.js';

const MINUTE_MS = 60_000;
/** Each lost answer can cost a minute. */
const AMID_FAULTS_MS = 4 * MINUTE_MS;
const PEER_CIDR = '172.20.0.0/16';
const PRINCIPAL = `arn:aws:iam::${OTHER_ACCOUNT}:root`;

jest.setTimeout(10 * MINUTE_MS);

/** The accounts are Moto behind the fault proxy. Hosts, agents and brokers are real; Moto connects no networks. */
describeWithAws('Private networking at AWS', () => {
  let world: AwsWorld;
  beforeAll(async () => {
    world = await AwsWorld.start();
  }, AWS_WORLD_WAIT_MS);
  afterAll(() => world.stop(), AWS_WORLD_WAIT_MS);

  it('exists once, and is gone once, over kill -9 of the Supervisor, while clients go on', async () => {
    const { cloud } = world.machines;
    const { proxy, ec2 } = world;
    const deployment = await TestDeployment.paid(cloud, MULTI_AZ);
    await world.machines.open(deployment);
    const theirs = await otherAccount(world.moto.endpoint);
    const { Vpc } = await theirs.createVpc({ CidrBlock: PEER_CIDR });
    const at = (path: string) => `${deployment.live}/network/aws/${path}`;
    const post = (path: string, body: object) => cloud.runtime().post(at(path), body);
    const shown = async (path: string) => (await cloud.runtime().get(at(path))).body[0];
    const reaches = (path: string, text: string, has: (one: any) => unknown) =>
      eventually(`${path} ${text}`, async () => has((await shown(path)) ?? {}) === text, 2 * MINUTE_MS);

    const peer = { peer_vpc_id: Vpc?.VpcId, peer_owner_id: OTHER_ACCOUNT, peer_vpc_cidr: PEER_CIDR };
    const peering = await post('vpc_peering', { name: 'theirs', ...peer });
    await world.amidFaults(deployment.succeeds(peering, AMID_FAULTS_MS));
    const { peering_connection_id: connection } = await shown('vpc_peering');
    await theirs.acceptVpcPeeringConnection({ VpcPeeringConnectionId: connection });
    await reaches('vpc_peering', 'active', ({ status }) => status);
    const routes = async () => {
      const { RouteTables = [] } = await ec2.describeRouteTables({});
      return RouteTables.flatMap(({ Routes = [] }) => Routes).filter((one) => one.DestinationCidrBlock === PEER_CIDR);
    };
    await eventually('a route to the other side', async () => (await routes()).length > 0);
    expect((await routes()).map((route) => route.VpcPeeringConnectionId)).toEqual([connection]);

    const service = await post('private_link', { name: 'orders', allowed_principals: [PRINCIPAL] });
    await world.amidFaults(deployment.succeeds(service, AMID_FAULTS_MS));
    const { vpc_endpoint_service_id: serviceId } = await shown('private_link');
    const made = proxy.creations.map(({ action }) => action);
    expect(made.filter((action) => action === 'CreateVpcPeeringConnection')).toHaveLength(1);
    expect(made.filter((action) => action === 'CreateVpcEndpointServiceConfiguration')).toHaveLength(1);
    const endpoint = proxy.connections.connect(serviceId, OTHER_ACCOUNT, 'available');
    expect(await world.machines.exchange(deployment, 'private', ['one', 'two'])).toEqual(['one', 'two']);

    await world.amidFaults(deployment.delete(AMID_FAULTS_MS));

    expect(proxy.connections.stateOf(endpoint)).toBe('rejected');
    expect(await world.contents()).toEqual([]);
    const { ServiceConfigurations = [] } = await ec2.describeVpcEndpointServiceConfigurations({});
    expect(ServiceConfigurations).toEqual([]);
    const { VpcPeeringConnections = [] } = await ec2.describeVpcPeeringConnections({});
    expect(VpcPeeringConnections.map(({ Status }) => Status?.Code)).toEqual(['deleted']);
    expect((await theirs.describeVpcs({ VpcIds: [Vpc?.VpcId ?? ''] })).Vpcs).toHaveLength(1);
  });
});
