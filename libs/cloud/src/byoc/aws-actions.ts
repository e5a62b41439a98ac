/** The actions of the driver for aws, as IAM names them. A test holds them against the source of the driver. */

const ec2 = (...actions: string[]): string[] => actions.map((action) => `ec2:${action}`);
const elb = (...actions: string[]): string[] => actions.map((action) => `elasticloadbalancing:${action}`);

/** The driver reads. AWS has no tags in the conditions of these actions. */
export const LOOK = [
  ...ec2(
    'DescribeVpcs',
    'DescribeSubnets',
    'DescribeRouteTables',
    'DescribeInternetGateways',
    'DescribeSecurityGroups',
  ),
  ...ec2('DescribeAddresses', 'DescribeInstances'),
  ...ec2('DescribeImages', 'DescribeAvailabilityZones', 'DescribeVolumes', 'DescribeSnapshots'),
  ...ec2('DescribeVpcPeeringConnections', 'DescribeVpcEndpointServiceConfigurations', 'DescribeVpcEndpointConnections'),
  ...ec2('DescribeVpcEndpointServicePermissions'),
  ...elb('DescribeLoadBalancers', 'DescribeTargetGroups', 'DescribeListeners', 'DescribeTags'),
  'tag:GetResources',
];

/** The types of the resources that an action of EC2 creates. */
export type Created = Record<string, string[]>;

export const CREATED: Created = {
  RunInstances: ['instance', 'volume', 'network-interface'],
  CreateVolume: ['volume'],
  CreateSnapshot: ['snapshot'],
  CreateSubnet: ['subnet'],
  CreateSecurityGroup: ['security-group'],
  AllocateAddress: ['elastic-ip'],
  CreateVpcPeeringConnection: ['vpc-peering-connection'],
  CreateVpcEndpointServiceConfiguration: ['vpc-endpoint-service'],
};
/** In the account of a customer, the VPC and its gateway belong to the customer. */
export const CREATED_IN_OWN_ACCOUNT: Created = { CreateVpc: ['vpc'], CreateInternetGateway: ['internet-gateway'] };
export const TAG_CREATED = 'ec2:CreateTags';

/** The driver changes and deletes what has the tag of the installation. */
export const CHANGE = [
  ...ec2('StartInstances', 'StopInstances', 'TerminateInstances', 'ModifyInstanceAttribute'),
  ...ec2('AttachVolume', 'DetachVolume', 'ModifyVolume', 'DeleteVolume', 'DeleteSnapshot', 'DeleteSubnet'),
  ...ec2('AuthorizeSecurityGroupIngress', 'RevokeSecurityGroupIngress', 'DeleteSecurityGroup'),
  ...ec2('AssociateAddress', 'DisassociateAddress', 'ReleaseAddress', 'DeleteVpcPeeringConnection'),
  ...ec2('ModifyVpcEndpointServicePermissions', 'RejectVpcEndpointConnections'),
  ...ec2('ModifyVpcEndpointServiceConfiguration', 'DeleteVpcEndpointServiceConfigurations'),
];
export const CHANGE_IN_OWN_ACCOUNT = ec2(
  ...['DeleteVpc', 'AttachInternetGateway', 'DetachInternetGateway', 'DeleteInternetGateway'],
);
/** AWS creates the main route table of a VPC without tags. */
export const ROUTES = ec2('CreateRoute', 'ReplaceRoute', 'DeleteRoute');

export const CREATE_BALANCERS = elb('CreateLoadBalancer', 'CreateTargetGroup');
/** A listener is created in a balancer, and has tags of its own. */
export const CREATE_LISTENER = 'elasticloadbalancing:CreateListener';
export const TAG_BALANCERS = 'elasticloadbalancing:AddTags';
export const CHANGE_BALANCERS = [
  CREATE_LISTENER,
  ...elb('ModifyListener', 'DeleteListener', 'ModifyLoadBalancerAttributes', 'DeleteLoadBalancer'),
  ...elb('DeleteTargetGroup', 'RegisterTargets', 'DeregisterTargets'),
];
export const SERVICE_ROLE = 'iam:CreateServiceLinkedRole';

/** Of the operator's own account only. */
export const ASSUME_ROLE = 'sts:AssumeRole';
export const QUOTAS = 'servicequotas:GetServiceQuota';

/** All actions that the driver needs in an account of a customer. */
export const AWS_PERMISSIONS: readonly string[] = [
  ...LOOK,
  ...ec2(...Object.keys(CREATED)),
  TAG_CREATED,
  ...CHANGE,
  ...ROUTES,
  ...CREATE_BALANCERS,
  TAG_BALANCERS,
  ...CHANGE_BALANCERS,
  SERVICE_ROLE,
];

/** All actions that the driver needs in the operator's own account. */
export const AWS_OPERATOR_PERMISSIONS: readonly string[] = [
  ...AWS_PERMISSIONS,
  ...ec2(...Object.keys(CREATED_IN_OWN_ACCOUNT)),
  ...CHANGE_IN_OWN_ACCOUNT,
  ASSUME_ROLE,
  QUOTAS,
];
