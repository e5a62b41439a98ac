import {
  ASSUME_ROLE,
  CHANGE,
  CHANGE_BALANCERS,
  CHANGE_IN_OWN_ACCOUNT,
  CREATE_BALANCERS,
  CREATE_LISTENER,
  CREATED,
  CREATED_IN_OWN_ACCOUNT,
  LOOK,
  QUOTAS,
  ROUTES,
  SERVICE_ROLE,
  TAG_BALANCERS,
  TAG_CREATED,
  type Created,
} from './aws-actions.js';

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

/**
 * Allows the role of a customer the actions of the driver for aws, in one region, on resources with the installation's tag. The VPC
 * belongs to the customer and has no tag. Its route tables are changed only with the tag, which the customer can set.
 */
export function permissionsPolicy(scope: PolicyScope): PolicyDocument {
  const { ec2, owned } = wordsOf(scope);
  return document([
    ...both(scope, CREATED, CHANGE),
    allow('InTheVpc', IN_A_VPC, ec2('vpc')),
    allow('Routes', ROUTES, ec2('route-table'), owned),
  ]);
}

/** Allows the operator's own user or role the same in its own account, with VPCs, and the entry into accounts of customers. */
export function operatorPolicy(scope: PolicyScope): PolicyDocument {
  const { ec2, partition, here } = wordsOf(scope);
  const created = { ...CREATED, ...CREATED_IN_OWN_ACCOUNT };
  return document([
    ...both(scope, created, [...CHANGE, ...CHANGE_IN_OWN_ACCOUNT, ...IN_A_VPC]),
    allow('Routes', ROUTES, ec2('route-table')),
    allow('Quotas', QUOTAS, '*', here),
    // Roles of the operator's own account often trust every principal of it.
    allow('Customers', ASSUME_ROLE, `arn:${partition}:iam::*:role/*`, OF_ANOTHER_ACCOUNT),
  ]);
}

const OF_ANOTHER_ACCOUNT: Condition = {
  StringNotEquals: { 'aws:ResourceAccount': '${aws:PrincipalAccount}' },
};

const IN_A_VPC = ['ec2:CreateSubnet', 'ec2:CreateSecurityGroup', 'ec2:CreateVpcPeeringConnection'];

/** What the policies of both kinds of accounts allow. */
function both(scope: PolicyScope, created: Created, change: string[]): PolicyStatement[] {
  const { ec2, partition, here, tagged, owned, any } = wordsOf(scope);
  return [
    allow('Look', LOOK, '*', here),
    ...creations(created).map(({ name, actions, types }) => allow(name, actions, types.map(ec2), tagged)),
    // An image belongs to no account.
    allow('FromImages', 'ec2:RunInstances', `arn:${partition}:ec2:${scope.region}::image/*`),
    allow('TagWhatIsMade', TAG_CREATED, any, { StringEquals: { 'ec2:CreateAction': Object.keys(created) } }),
    // Nodes in own networks, snapshots of own volumes, volumes of own snapshots. A new resource has no tags before its creation, so this
    // creates nothing by itself.
    allow('Own', [...change, 'ec2:RunInstances', 'ec2:CreateSnapshot', 'ec2:CreateVolume'], any, owned),
    ...balancers(scope),
  ];
}

/** The shortest spelling: what creates one type of resource, and RunInstances. */
function creations(created: Created): { name: string; actions: string[]; types: string[] }[] {
  const single = Object.entries(created).filter(([, types]) => types.length === 1);
  const several = Object.entries(created).filter(([, types]) => types.length > 1);
  return [
    { name: 'Create', actions: single.map(([action]) => `ec2:${action}`), types: single.flatMap(([, types]) => types) },
    ...several.map(([action, types]) => ({ name: action, actions: [`ec2:${action}`], types })),
  ];
}

function balancers(scope: PolicyScope): PolicyStatement[] {
  const { partition, tagged, owned } = wordsOf(scope);
  const resources = ['loadbalancer/net', 'targetgroup', 'listener/net'].map(
    (type) => `arn:${partition}:elasticloadbalancing:${scope.region}:*:${type}/*`,
  );
  const actions = [...CREATE_BALANCERS, CREATE_LISTENER].map((action) => action.split(':')[1] ?? '');
  return [
    allow('CreateBalancers', CREATE_BALANCERS, resources.slice(0, 2), tagged),
    allow('TagBalancersThatAreMade', TAG_BALANCERS, resources, {
      StringEquals: { 'elasticloadbalancing:CreateAction': actions },
    }),
    allow('OwnBalancers', CHANGE_BALANCERS, resources, owned),
    allow('BalancersInANewAccount', SERVICE_ROLE, serviceRole(partition), {
      StringEquals: { 'iam:AWSServiceName': 'elasticloadbalancing.amazonaws.com' },
    }),
  ];
}

function wordsOf({ region, installation }: PolicyScope) {
  const partition = partitionOf(region);
  return {
    partition,
    ec2: (type: string): string => `arn:${partition}:ec2:${region}:*:${type}/*`,
    // The simulators of IAM do not understand the spelling `:*/*`, which AWS also accepts.
    any: `arn:${partition}:ec2:${region}:*:*`,
    here: { StringEquals: { 'aws:RequestedRegion': region } } satisfies Condition,
    tagged: { StringEquals: { [`aws:RequestTag/${INSTALLATION_TAG}`]: installation } } satisfies Condition,
    owned: { StringEquals: { [`aws:ResourceTag/${INSTALLATION_TAG}`]: installation } } satisfies Condition,
  };
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
