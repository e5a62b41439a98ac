import { EC2 } from '@aws-sdk/client-ec2';
import { ElasticLoadBalancingV2 } from '@aws-sdk/client-elastic-load-balancing-v2';
import type { AwsFaultProxy } from '@libs/testing';
import type { ContractKind } from '../../../libs/cloud/test/provider-contract-specs.fixture.js';

const REGION = 'us-east-1';
/** Moto takes any keys. */
export const KEYS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' };

/** An account at Moto, asked directly: neither by the driver nor through the fault proxy. */
export class MotoAccount {
  private readonly ec2: EC2;
  private readonly elb: ElasticLoadBalancingV2;
  private readonly counters: Partial<Record<ContractKind, (name: string) => Promise<number>>>;

  constructor(endpoint: string) {
    const options = { endpoint, region: REGION, credentials: KEYS };
    [this.ec2, this.elb] = [new EC2(options), new ElasticLoadBalancingV2(options)];
    this.counters = {
      network: async (name) => this.size((await this.ec2.describeVpcs(tagged('network', name))).Vpcs),
      firewall: async (name) =>
        this.size((await this.ec2.describeSecurityGroups(tagged('firewall', name))).SecurityGroups),
      node: (name) => this.instances(name),
      address: async (name) => this.size((await this.ec2.describeAddresses(tagged('address', name))).Addresses),
      load_balancer: (name) => this.balancers(name),
      vpc_peering: (name) => this.peerings(name),
      endpoint_service: (name) => this.services(name),
      restored_volume: async (name) =>
        this.size((await this.ec2.describeVolumes(tagged('restored_volume', name))).Volumes),
      snapshot: async (name) => this.size((await this.ec2.describeSnapshots(tagged('snapshot', name))).Snapshots),
    };
  }

  /** How many resources with this name exist. */
  async left(kind: ContractKind, name: string): Promise<number> {
    return (await this.counters[kind]?.(name)) ?? 0;
  }

  /** Instances that have not ended, and volumes. */
  private async instances(name: string): Promise<number> {
    const { Reservations = [] } = await this.ec2.describeInstances(tagged('node', name));
    const living = Reservations.flatMap(({ Instances = [] }) => Instances).filter(
      ({ State }) => State?.Name !== 'terminated',
    );
    const { Volumes = [] } = await this.ec2.describeVolumes({
      Filters: [{ Name: 'tag:landlord:name', Values: [name] }],
    });
    const data = Volumes.filter(({ Tags = [] }) => Tags.some(({ Value }) => Value === 'volume'));
    return living.length || data.length;
  }

  /** Moto ignores filters for peerings, and shows them after their end. */
  private async peerings(name: string): Promise<number> {
    const { VpcPeeringConnections = [] } = await this.ec2.describeVpcPeeringConnections({});
    return VpcPeeringConnections.filter(
      ({ Tags = [], Status }) => Status?.Code !== 'deleted' && Tags.some(({ Value }) => Value === name),
    ).length;
  }

  private async services(name: string): Promise<number> {
    const { ServiceConfigurations = [] } = await this.ec2.describeVpcEndpointServiceConfigurations({});
    return ServiceConfigurations.filter(({ Tags = [] }) => Tags.some(({ Value }) => Value === name)).length;
  }

  private size(resources: unknown[] | undefined): number {
    return resources?.length ?? 0;
  }

  private async balancers(name: string): Promise<number> {
    const { LoadBalancers = [] } = await this.elb.describeLoadBalancers({});
    if (LoadBalancers.length === 0) return 0;
    const ResourceArns = LoadBalancers.map(({ LoadBalancerArn = '' }) => LoadBalancerArn);
    const { TagDescriptions = [] } = await this.elb.describeTags({ ResourceArns });
    return TagDescriptions.filter(({ Tags = [] }) => Tags.some(({ Value }) => Value === name)).length;
  }
}

export const OTHER_ACCOUNT = '111122223333';

/** A client in another account of the same Moto: a role makes its account the caller's. */
export async function otherAccount(endpoint: string): Promise<EC2> {
  const role = { RoleArn: `arn:aws:iam::${OTHER_ACCOUNT}:role/peer`, RoleSessionName: 'peer', Version: '2011-06-15' };
  const signed = 'AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/sts/aws4_request';
  const answer = await fetch(endpoint, {
    ...{ method: 'POST', body: new URLSearchParams({ Action: 'AssumeRole', ...role }) },
    headers: { authorization: signed },
  });
  const xml = await answer.text();
  const valueOf = (name: string): string => new RegExp(`<${name}>([^<]*)<`).exec(xml)?.[1] ?? '';
  const [accessKeyId, secretAccessKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map(valueOf);
  return new EC2({
    ...{ endpoint, region: REGION },
    credentials: {
      accessKeyId: accessKeyId ?? '',
      secretAccessKey: secretAccessKey ?? '',
      sessionToken: sessionToken ?? '',
    },
  });
}

/** How many times the main part of the resource was created, from the tags in the calls. */
export function creationsOf({ creations }: AwsFaultProxy, kind: ContractKind, name: string): number {
  const expected = new Map([
    ['landlord:name', name],
    ['landlord:part', kind],
  ]);
  return creations.filter(({ parameters }) => {
    // One call can create resources with tags of their own, such as an instance and its disk.
    const counts = new Map<string, number>();
    for (const [key, tag] of parameters) {
      const value = parameters.get(key.replace(/Key$/, 'Value'));
      if (!expected.has(tag) || value !== expected.get(tag)) continue;
      const specification = key.replace(/\.?Tags?\..*$/, '');
      counts.set(specification, (counts.get(specification) ?? 0) + 1);
    }
    return [...counts.values()].includes(expected.size);
  }).length;
}

const tagged = (kind: ContractKind, name: string) => ({
  Filters: [
    { Name: 'tag:landlord:name', Values: [name] },
    { Name: 'tag:landlord:part', Values: [kind] },
  ],
});
