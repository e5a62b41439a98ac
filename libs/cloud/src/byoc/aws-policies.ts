/** The tag of every resource that a driver creates. IAM conditions use it. Its value is the name of the installation. */
export const INSTALLATION_TAG = 'landlord:installation';

type Condition = Record<string, Record<string, string | string[]>>;

interface PolicyStatement {
  Sid: string;
  Effect: 'Allow';
  Principal?: { AWS: string };
  Action: string | string[];
  Resource?: string | string[];
  Condition?: Condition;
}

/** An IAM policy document in the format of the console and `aws iam`. */
export interface PolicyDocument {
  Version: '2012-10-17';
  Statement: PolicyStatement[];
}

const DESCRIBE = [
  ...['Vpcs', 'Subnets', 'RouteTables', 'InternetGateways', 'SecurityGroups', 'SecurityGroupRules', 'Addresses'],
  ...['Instances', 'InstanceStatus', 'InstanceTypes', 'Images', 'AvailabilityZones', 'NetworkInterfaces'],
  ...['Volumes', 'VolumesModifications', 'Tags'],
].map((what) => `ec2:Describe${what}`);
const DESCRIBE_BALANCERS = ['LoadBalancers', 'TargetGroups', 'TargetHealth', 'Listeners', 'Tags'].map(
  (what) => `elasticloadbalancing:Describe${what}`,
);

/** The EC2 resource types that an action creates. */
const CREATED: Record<string, string[]> = {
  RunInstances: ['instance', 'volume', 'network-interface'],
  CreateVolume: ['volume'],
  CreateSubnet: ['subnet'],
  CreateSecurityGroup: ['security-group'],
  CreateRouteTable: ['route-table'],
  AllocateAddress: ['elastic-ip'],
};
const OWN = [
  ...['StartInstances', 'StopInstances', 'TerminateInstances', 'ModifyInstanceAttribute'],
  ...['AttachVolume', 'DetachVolume', 'ModifyVolume', 'DeleteVolume', 'DeleteSubnet', 'DeleteRouteTable'],
  ...['CreateRoute', 'DeleteRoute', 'AssociateRouteTable', 'DisassociateRouteTable'],
  ...['AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress', 'DeleteSecurityGroup'],
  ...['AssociateAddress', 'DisassociateAddress', 'ReleaseAddress'],
].map((action) => `ec2:${action}`);
const OWN_BALANCERS = [
  // Listeners have no tags of their own and are deleted with their balancer.
  ...['CreateListener', 'DeleteLoadBalancer', 'DeleteTargetGroup'],
  ...['RegisterTargets', 'DeregisterTargets'],
].map((action) => `elasticloadbalancing:${action}`);
const CREATED_BALANCERS = ['elasticloadbalancing:CreateLoadBalancer', 'elasticloadbalancing:CreateTargetGroup'];
const TAG_BALANCERS = 'elasticloadbalancing:AddTags';
const SERVICE_ROLE = 'iam:CreateServiceLinkedRole';

/** All actions that a driver for aws needs in an account of a customer. */
export const AWS_PERMISSIONS: readonly string[] = [
  ...DESCRIBE,
  ...Object.keys(CREATED).map((action) => `ec2:${action}`),
  'ec2:CreateTags',
  ...OWN,
  ...DESCRIBE_BALANCERS,
  ...CREATED_BALANCERS,
  TAG_BALANCERS,
  ...OWN_BALANCERS,
  SERVICE_ROLE,
];

/** The region of a policy, and the installation whose resources it covers. */
export interface PolicyScope {
  region: string;
  installation: string;
}

/** Allows the service's account to assume the role, only for this tenant. This prevents the confused deputy problem. */
export const trustPolicy = (region: string, serviceAccountId: string, externalId: string): PolicyDocument =>
  document([
    {
      Sid: 'LandlordAssumesThisRole',
      Effect: 'Allow',
      Principal: { AWS: `arn:${partitionOf(region)}:iam::${serviceAccountId}:root` },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': externalId } },
    },
  ]);

/** Allows the role the actions of a driver for aws, in one region, on resources with the installation's tag. */
export function permissionsPolicy({ region, installation }: PolicyScope): PolicyDocument {
  const partition = partitionOf(region);
  const ec2 = (type: string): string => `arn:${partition}:ec2:${region}:*:${type}/*`;
  const balancers = ['loadbalancer/net', 'targetgroup'].map(
    (type) => `arn:${partition}:elasticloadbalancing:${region}:*:${type}/*`,
  );
  const tagged: Condition = { StringEquals: { [`aws:RequestTag/${INSTALLATION_TAG}`]: installation } };
  const owned: Condition = { StringEquals: { [`aws:ResourceTag/${INSTALLATION_TAG}`]: installation } };
  return document([
    allow('Look', [...DESCRIBE, ...DESCRIBE_BALANCERS], '*', { StringEquals: { 'aws:RequestedRegion': region } }),
    ...Object.entries(CREATED).map(([action, types]) => allow(action, `ec2:${action}`, types.map(ec2), tagged)),
    // Existing resources: the customer's VPC and the images. An image belongs to no account.
    allow('InTheVpc', ['ec2:CreateSubnet', 'ec2:CreateSecurityGroup', 'ec2:CreateRouteTable'], ec2('vpc')),
    allow('FromImages', 'ec2:RunInstances', `arn:${partition}:ec2:${region}::image/*`),
    allow('IntoOwnNetworks', 'ec2:RunInstances', [ec2('subnet'), ec2('security-group')], owned),
    allow('TagWhatIsMade', 'ec2:CreateTags', `arn:${partition}:ec2:${region}:*:*/*`, {
      StringEquals: { 'ec2:CreateAction': Object.keys(CREATED) },
    }),
    allow('Own', OWN, `arn:${partition}:ec2:${region}:*:*/*`, owned),
    allow('CreateBalancers', CREATED_BALANCERS, balancers, tagged),
    allow('TagBalancersThatAreMade', TAG_BALANCERS, balancers, {
      StringEquals: { 'elasticloadbalancing:CreateAction': ['CreateLoadBalancer', 'CreateTargetGroup'] },
    }),
    allow('OwnBalancers', OWN_BALANCERS, balancers, owned),
    allow('BalancersInANewAccount', SERVICE_ROLE, serviceRole(partition), {
      StringEquals: { 'iam:AWSServiceName': 'elasticloadbalancing.amazonaws.com' },
    }),
  ]);
}

const serviceRole = (partition: string): string =>
  `arn:${partition}:iam::*:role/aws-service-role/elasticloadbalancing.amazonaws.com/AWSServiceRoleForElasticLoadBalancing`;

const document = (statements: PolicyStatement[]): PolicyDocument => ({ Version: '2012-10-17', Statement: statements });

const allow = (
  name: string,
  action: string | string[],
  resource: string | string[],
  condition?: Condition,
): PolicyStatement => ({
  Sid: `Landlord${name}`,
  Effect: 'Allow',
  Action: action,
  Resource: resource,
  ...(condition && { Condition: condition }),
});

/** China and GovCloud are separate partitions in IAM. */
function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
}
