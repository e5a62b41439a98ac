import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSimulation } from '@cloud-copilot/iam-simulate';
import * as actions from './aws-actions.js';
import {
  INSTALLATION_TAG,
  operatorPolicy,
  permissionsPolicy,
  trustPolicy,
  type PolicyDocument,
} from './aws-policies.js';

const REGION = 'us-east-1';
const ACCOUNT = '111122223333';
const SCOPE = { region: REGION, installation: 'one' };
const POLICIES = { customer: permissionsPolicy(SCOPE), operator: operatorPolicy(SCOPE) };
const NEEDED = { customer: actions.AWS_PERMISSIONS, operator: actions.AWS_OPERATOR_PERMISSIONS };
type Kind = keyof typeof POLICIES;
const KINDS: Kind[] = ['customer', 'operator'];

const actionsOf = ({ Statement }: PolicyDocument): string[] =>
  [...new Set(Statement.flatMap(({ Action }) => Action))].sort();

/** Every call in the source of the driver, as an action of IAM. */
function calledActions(): string[] {
  const directory = join(import.meta.dirname, '../aws');
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'),
  );
  const sources = files.map((name) => readFileSync(join(directory, name), 'utf8'));
  const services: Record<string, string> = {
    ...{ ec2: 'ec2', elb: 'elasticloadbalancing', sts: 'sts', quotas: 'servicequotas', tagging: 'tag' },
  };
  const calls = sources.flatMap((text) => [...text.matchAll(/\b(ec2|elb|sts|quotas|tagging)\.([a-z]\w+)\(/g)]);
  const named = calls.map(
    ([, client = '', name = '']) => `${services[client]}:${name[0]?.toUpperCase()}${name.slice(1)}`,
  );
  return [...new Set(named)].sort();
}

/** AWS asks for these in addition to the action of the call. Everybody may ask who they are. */
const WITH_CALLS = [actions.TAG_CREATED, actions.TAG_BALANCERS, actions.SERVICE_ROLE];
const WITHOUT_PERMISSION = ['sts:GetCallerIdentity'];

/** The names of snapshots have no account. */
const ec2 = (type: string, id: string, region = REGION) =>
  `arn:aws:ec2:${region}:${type === 'snapshot' ? '' : ACCOUNT}:${type}/${id}`;
const elb = (type: string, region = REGION) => `arn:aws:elasticloadbalancing:${region}:${ACCOUNT}:${type}`;
const RESOURCES = {
  ...{ instance: 'i-0123456789abcdef0', volume: 'vol-0123456789abcdef0', 'network-interface': 'eni-0123456789abcdef0' },
  ...{ snapshot: 'snap-0123456789abcdef0', subnet: 'subnet-0123456789abcdef0', vpc: 'vpc-0123456789abcdef0' },
  ...{ 'security-group': 'sg-0123456789abcdef0', 'elastic-ip': 'eipalloc-0123456789abcdef0' },
  ...{ 'vpc-peering-connection': 'pcx-0123456789abcdef0', 'vpc-endpoint-service': 'vpce-svc-0123456789abcdef0' },
  ...{ 'internet-gateway': 'igw-0123456789abcdef0', 'route-table': 'rtb-0123456789abcdef0' },
};
type Ec2Type = keyof typeof RESOURCES;

/** The resources whose tag decides, by action. A tag is in the request, or on the resource. */
const ON_TAGGED: Record<string, Ec2Type[]> = {
  ...{ StartInstances: ['instance'], StopInstances: ['instance'], TerminateInstances: ['instance'] },
  ...{ ModifyInstanceAttribute: ['instance'], AttachVolume: ['instance', 'volume'] },
  ...{ ModifyVolume: ['volume'], DeleteVolume: ['volume'], DetachVolume: ['instance', 'volume'] },
  ...{ CreateSnapshot: ['volume'], CreateVolume: ['snapshot'], DeleteSnapshot: ['snapshot'] },
  ...{ DeleteSubnet: ['subnet'], DeleteSecurityGroup: ['security-group'] },
  ...{ AuthorizeSecurityGroupIngress: ['security-group'], RevokeSecurityGroupIngress: ['security-group'] },
  ...{ AssociateAddress: ['elastic-ip', 'instance'], DisassociateAddress: ['elastic-ip'] },
  ...{ ReleaseAddress: ['elastic-ip'], DeleteVpcPeeringConnection: ['vpc-peering-connection'] },
  ...{ ModifyVpcEndpointServicePermissions: ['vpc-endpoint-service'] },
  ...{ RejectVpcEndpointConnections: ['vpc-endpoint-service'] },
  ...{ DeleteVpcEndpointServiceConfigurations: ['vpc-endpoint-service'] },
  RunInstances: ['subnet', 'security-group'],
  ModifyVpcEndpointServiceConfiguration: ['vpc-endpoint-service'],
};
const ON_TAGGED_IN_OWN: Record<string, Ec2Type[]> = {
  ...{ DeleteVpc: ['vpc'], AttachInternetGateway: ['internet-gateway', 'vpc'] },
  ...{ DetachInternetGateway: ['internet-gateway', 'vpc'], DeleteInternetGateway: ['internet-gateway'] },
  ...{ CreateSubnet: ['vpc'], CreateSecurityGroup: ['vpc'] },
  ...{ CreateVpcPeeringConnection: ['vpc'] },
};
const ON_ROUTES: Record<string, Ec2Type[]> = {
  ...{ CreateRoute: ['route-table'], ReplaceRoute: ['route-table'], DeleteRoute: ['route-table'] },
};
const BALANCERS = {
  balancer: 'loadbalancer/net/ld-x/0123456789abcdef',
  group: 'targetgroup/ld-x/0123456789abcdef',
  listener: 'listener/net/ld-x/0123456789abcdef/0123456789abcdef',
};
const ON_TAGGED_BALANCERS: Record<string, keyof typeof BALANCERS> = {
  ...{ CreateListener: 'balancer', ModifyListener: 'listener', DeleteListener: 'listener' },
  ...{ ModifyLoadBalancerAttributes: 'balancer', DeleteLoadBalancer: 'balancer', DeleteTargetGroup: 'group' },
  ...{ RegisterTargets: 'group', DeregisterTargets: 'group' },
};

interface Case {
  action: string;
  arn: (region?: string) => string;
  tag: 'aws:RequestTag' | 'aws:ResourceTag';
}
const ec2Cases = (table: Record<string, string[]>, tag: Case['tag']): Case[] =>
  Object.entries(table).flatMap(([action, types]) =>
    types.map((type) => ({
      ...{ action: `ec2:${action}`, tag },
      arn: (region?: string) => ec2(type, RESOURCES[type as Ec2Type], region),
    })),
  );
const balancerCases = (table: Record<string, keyof typeof BALANCERS>, tag: Case['tag']): Case[] =>
  Object.entries(table).map(([action, type]) => ({
    ...{ action: `elasticloadbalancing:${action}`, tag },
    arn: (region?: string) => elb(BALANCERS[type], region),
  }));
const COMMON: Case[] = [
  ...ec2Cases(actions.CREATED, 'aws:RequestTag'),
  ...ec2Cases(ON_TAGGED, 'aws:ResourceTag'),
  ...balancerCases({ CreateLoadBalancer: 'balancer', CreateTargetGroup: 'group' }, 'aws:RequestTag'),
  ...balancerCases(ON_TAGGED_BALANCERS, 'aws:ResourceTag'),
];
const CASES: Record<Kind, Case[]> = {
  customer: [...COMMON, ...ec2Cases(ON_ROUTES, 'aws:ResourceTag')],
  operator: [
    ...COMMON,
    ...ec2Cases(actions.CREATED_IN_OWN_ACCOUNT, 'aws:RequestTag'),
    ...ec2Cases(ON_TAGGED_IN_OWN, 'aws:ResourceTag'),
  ],
};

/** What another program says about the policy. */
async function judge(kind: Kind, action: string, resource: string, context: Record<string, string>): Promise<string> {
  const result = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${ACCOUNT}:role/landlord`,
        action,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: { 'aws:RequestedRegion': REGION, ...context },
      },
      identityPolicies: [{ name: kind, policy: POLICIES[kind] }],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  return result.resultType === 'error' ? JSON.stringify(result.errors) : result.overallResult;
}

describe.each(KINDS)('The policy for the account of the %s', (kind) => {
  it('allows exactly the actions that the driver needs, and fits into a managed policy', () => {
    expect(actionsOf(POLICIES[kind])).toEqual([...NEEDED[kind]].sort());
    expect(new Set(NEEDED[kind]).size).toBe(NEEDED[kind].length);
    expect(JSON.stringify(POLICIES[kind]).length).toBeLessThan(6144);
  });

  it.each(
    CASES[kind].map((one) => [one.action, one.arn().split(':').slice(5).join(':').split('/')[0] ?? '', one] as const),
  )(
    'allows %s of a %s only with the tag of the installation, and only in the region',
    async (_action, _type, { action, arn, tag }) => {
      const own = { [`${tag}/${INSTALLATION_TAG}`]: 'one' };
      const other = { [`${tag}/${INSTALLATION_TAG}`]: 'two' };

      expect(await judge(kind, action, arn(), own)).toBe('Allowed');
      expect(await judge(kind, action, arn(), other)).toBe('ImplicitlyDenied');
      expect(await judge(kind, action, arn(), {})).toBe('ImplicitlyDenied');
      const elsewhere = { ...own, 'aws:RequestedRegion': 'eu-west-1' };
      expect(await judge(kind, action, arn('eu-west-1'), elsewhere)).toBe('ImplicitlyDenied');
    },
  );

  it('holds every action that changes something to the tag, except those that are named here', () => {
    const checked = new Set(CASES[kind].map(({ action }) => action));
    const others = NEEDED[kind].filter((action) => !checked.has(action) && !actions.LOOK.includes(action));

    const named = [...WITH_CALLS, ...actions.ROUTES, actions.ASSUME_ROLE, actions.QUOTAS];
    expect(others.filter((action) => !named.includes(action))).toEqual([]);
  });

  it('allows to look, only in the region', async () => {
    for (const action of actions.LOOK) {
      expect([action, await judge(kind, action, '*', {})]).toEqual([action, 'Allowed']);
      expect([action, await judge(kind, action, '*', { 'aws:RequestedRegion': 'eu-west-1' })]).toEqual([
        action,
        'ImplicitlyDenied',
      ]);
    }
  });

  it('allows tags only in the call that creates the resource', async () => {
    const instance = ec2('instance', RESOURCES.instance);
    const balancer = elb(BALANCERS.balancer);
    const [tags, more] = [actions.TAG_CREATED, actions.TAG_BALANCERS];

    expect(await judge(kind, tags, instance, { 'ec2:CreateAction': 'RunInstances' })).toBe('Allowed');
    expect(await judge(kind, tags, instance, {})).toBe('ImplicitlyDenied');
    const creation = { 'elasticloadbalancing:CreateAction': 'CreateLoadBalancer' };
    expect(await judge(kind, more, balancer, creation)).toBe('Allowed');
    expect(await judge(kind, more, balancer, {})).toBe('ImplicitlyDenied');
  });

  it('allows any image, and the role of balancers only', async () => {
    const role = `arn:aws:iam::${ACCOUNT}:role/aws-service-role`;
    const name = 'elasticloadbalancing.amazonaws.com';
    const ofBalancers = `${role}/${name}/AWSServiceRoleForElasticLoadBalancing`;

    expect(await judge(kind, 'ec2:RunInstances', `arn:aws:ec2:${REGION}::image/ami-0123456789abcdef0`, {})).toBe(
      'Allowed',
    );
    expect(await judge(kind, actions.SERVICE_ROLE, ofBalancers, { 'iam:AWSServiceName': name })).toBe('Allowed');
    const spot = { 'iam:AWSServiceName': 'spot.amazonaws.com' };
    expect(await judge(kind, actions.SERVICE_ROLE, ofBalancers, spot)).toBe('ImplicitlyDenied');
  });
});

describe('The policies for AWS', () => {
  it('name every action that the driver calls, and no other', () => {
    const called = calledActions();
    const needed = [...called, ...WITH_CALLS].filter((action) => !WITHOUT_PERMISSION.includes(action));

    expect([...actions.AWS_OPERATOR_PERMISSIONS].sort()).toEqual(needed.sort());
  });

  it('give a customer the right to none of: VPCs, gateways, other accounts', async () => {
    const tags = { [`aws:RequestTag/${INSTALLATION_TAG}`]: 'one', [`aws:ResourceTag/${INSTALLATION_TAG}`]: 'one' };
    const vpc = ec2('vpc', RESOURCES.vpc);

    for (const action of ['ec2:CreateVpc', 'ec2:DeleteVpc'])
      expect([action, await judge('customer', action, vpc, tags)]).toEqual([action, 'ImplicitlyDenied']);
    const role = `arn:aws:iam::999988887777:role/landlord`;
    expect(await judge('customer', actions.ASSUME_ROLE, role, {})).toBe('ImplicitlyDenied');
    expect(await judge('operator', actions.ASSUME_ROLE, role, {})).not.toBe('ImplicitlyDenied');
  });

  it.each([
    ['us-east-1', 'aws'],
    ['cn-north-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
  ])('of %s use partition %s', (region, partition) => {
    const scope = { region, installation: 'one' };
    const all = [trustPolicy(region, '123456789012', 'x'), permissionsPolicy(scope), operatorPolicy(scope)];
    const arns = [...JSON.stringify(all).matchAll(/"arn:([^:]+):/g)].map(([, name]) => name);

    expect(new Set(arns)).toEqual(new Set([partition]));
  });
});
