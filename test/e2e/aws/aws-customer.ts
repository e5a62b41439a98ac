import type { EC2 } from '@aws-sdk/client-ec2';
import { TestDeployment } from '@libs/testing';
import { OTHER_ACCOUNT, otherAccount } from '../../../apps/supervisor/test/moto-account.fixture.js';
import type { HostNetwork } from '../machines/hosts/bridge.js';
import type { AwsWorld } from './aws-world.js';
import { contentsOf } from './moto-inventory.js';
import { CloudHosts } from '../clouds/cloud-hosts.js';
import type { CloudCustomer } from '../clouds/lost-access-story.js';
import { MotoInstances } from './moto-instances.js';

const PLACE = { cloud: 'aws', region: 'us-east-1' } as const;
const SIZE = { tier: 'small', cluster: 'cluster' } as const;
const ROLE = `arn:aws:iam::${OTHER_ACCOUNT}:role/landlord`;
/** Hosts of the bridge reach each other in 10.0.0.0/8. */
const RANGE = '10.77.0.0/16';

/** A customer with an account at Moto: a VPC with a way to the internet, and a role. The instances there are real hosts. */
export class AwsCustomer implements CloudCustomer {
  private constructor(
    private readonly world: AwsWorld,
    /** The account of the customer, asked without the driver and without the proxy. */
    readonly ec2: EC2,
    private readonly vpcId: string,
    private readonly externalId: string,
    private readonly hosts: CloudHosts,
  ) {}

  static async start(world: AwsWorld): Promise<AwsCustomer> {
    const ec2 = await otherAccount(world.moto.endpoint);
    const vpcId = await makeVpc(ec2);
    const { cloud } = world.machines;
    const { body } = await cloud.main().post(`${cloud.environment}/deployments/byoc/setup`, PLACE);
    const hosts = await CloudHosts.start(world.hosts.bridge, new MotoInstances(ec2));
    const customer = new AwsCustomer(world, ec2, vpcId, body.external_id, hosts);
    customer.giveAccess();
    return customer;
  }

  get account() {
    const role = { identity_arn: ROLE, external_id: this.externalId };
    return { account_id: OTHER_ACCOUNT, ...role, vpc_id: this.vpcId };
  }

  /** The role exists, and trusts Landlord with the external id of the tenant. */
  giveAccess(): void {
    this.world.proxy.trusts = new Map([[ROLE, this.externalId]]);
    this.world.proxy.refusesKeysOfRoles = false;
  }

  /** The role no longer exists, and AWS refuses the keys that it gave. */
  takeAccess(): void {
    this.world.proxy.trusts = new Map();
    this.world.proxy.refusesKeysOfRoles = true;
  }

  /** What Landlord says about the account. */
  async verdict() {
    const { cloud } = this.world.machines;
    return (await cloud.runtime().post(`${cloud.environment}/byoc/validate`, { ...PLACE, ...this.account })).body;
  }

  /** A deployment of three nodes in the account. */
  async deployment(name: string): Promise<TestDeployment> {
    const { cloud } = this.world.machines;
    const order = { name, ...PLACE, ...SIZE, aws: this.account };
    return TestDeployment.made(cloud, ({ deployments }) => deployments.createByoc({ ...cloud.placeIds, ...order }));
  }

  /** Everything in the account, with the subnets of the VPC. */
  async contents(): Promise<string[]> {
    const { accessKeyId, secretAccessKey, sessionToken = '' } = await this.ec2.config.credentials();
    const keys = { accessKeyId, secretAccessKey, sessionToken };
    const { Subnets = [] } = await this.ec2.describeSubnets({ Filters: [{ Name: 'vpc-id', Values: [this.vpcId] }] });
    const subnets = Subnets.map(({ SubnetId }) => `subnet ${SubnetId}`);
    return [...(await contentsOf(this.ec2, this.world.moto.endpoint, keys)), ...subnets];
  }

  /** The networks of the hosts. */
  cables(): HostNetwork[] {
    return [...this.hosts.hosts.values()].map(({ network }) => network);
  }

  stop(): Promise<void> {
    return this.hosts.stop();
  }
}

async function makeVpc(ec2: EC2): Promise<string> {
  const VpcId = (await ec2.createVpc({ CidrBlock: RANGE })).Vpc?.VpcId ?? '';
  const GatewayId = (await ec2.createInternetGateway({})).InternetGateway?.InternetGatewayId ?? '';
  await ec2.attachInternetGateway({ InternetGatewayId: GatewayId, VpcId });
  const main = { Filters: [{ Name: 'vpc-id', Values: [VpcId] }] };
  const RouteTableId = (await ec2.describeRouteTables(main)).RouteTables?.[0]?.RouteTableId;
  await ec2.createRoute({ RouteTableId, DestinationCidrBlock: '0.0.0.0/0', GatewayId });
  return VpcId;
}
