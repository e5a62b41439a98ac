import type { EC2 } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2';

const named = <T>(kind: string, all: readonly T[] | undefined, idOf: (one: T) => string | undefined): string[] =>
  (all ?? []).map((one) => `${kind} ${idOf(one)}`);

/** The snapshots of Landlord: Moto also has those of public images. */
export const LANDLORDS = { Filters: [{ Name: 'tag:landlord:kind', Values: ['snapshot'] }] };

/** Everything in the account that Landlord can create, asked of Moto itself. An ended instance is not there any more. */
export async function contentsOf(
  ec2: EC2,
  endpoint: string,
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string },
) {
  const elb = new ElasticLoadBalancingV2({ endpoint, region: 'us-east-1', credentials });
  const ownVpcs = { Filters: [{ Name: 'is-default', Values: ['false'] }] };
  const { Reservations = [] } = await ec2.describeInstances({});
  const instances = Reservations.flatMap(({ Instances = [] }) => Instances);
  const vpcs = (await ec2.describeVpcs(ownVpcs)).Vpcs;
  const groups = ((await ec2.describeSecurityGroups({})).SecurityGroups ?? []).filter(
    (one) => one.GroupName !== 'default',
  );
  return [
    ...named('vpc', vpcs, ({ VpcId }) => VpcId),
    ...named('gateway', (await ec2.describeInternetGateways({})).InternetGateways, (one) => one.InternetGatewayId),
    ...named('security group', groups, ({ GroupId }) => GroupId),
    ...named(
      'instance',
      instances.filter(({ State }) => State?.Name !== 'terminated'),
      ({ InstanceId }) => InstanceId,
    ),
    ...named('volume', (await ec2.describeVolumes({})).Volumes, ({ VolumeId }) => VolumeId),
    ...named('snapshot', (await ec2.describeSnapshots(LANDLORDS)).Snapshots, (one) => one.SnapshotId),
    ...named('address', (await ec2.describeAddresses({})).Addresses, ({ AllocationId }) => AllocationId),
    ...named('interface', (await ec2.describeNetworkInterfaces({})).NetworkInterfaces, (one) => one.NetworkInterfaceId),
    ...named('balancer', (await elb.describeLoadBalancers({})).LoadBalancers, (one) => one.LoadBalancerArn),
    ...named('target group', (await elb.describeTargetGroups({})).TargetGroups, (one) => one.TargetGroupArn),
  ];
}
