import type { IpPermission, SecurityGroup } from '@aws-sdk/client-ec2';
import type { InventoryTags } from '../cloud-provider.js';
import type { FirewallIngress, ResourceSpecs } from '../resource-specs.js';
import { isRemoved, unless, type AwsClients } from './aws-clients.js';
import type { Page, Observed } from '../driver/driver-kind.js';
import type { AwsKind } from './aws-kind.js';
import { idsOf, type Remembered } from '../driver/driver-memory.js';
import { filtersOf, ownerBy, pageRequest, tagsOf } from './aws-names.js';
import { shortName } from '../driver/short-name.js';
import type { AwsWork } from './aws-work.js';

const KIND = 'firewall';
const ALL_PROTOCOLS = '-1';

/** A rule of a security group, with one source. */
interface Rule {
  protocol: string;
  port: number | null;
  source: { cidr: string } | { group: string };
}

/** A security group. Its members reach each other on all ports; clients reach the ports of the specification. */
export class AwsFirewalls implements AwsKind<typeof KIND> {
  readonly pollAfterMs = 2_000;

  async build(work: AwsWork, { network, ingress }: ResourceSpecs['firewall']): Promise<void> {
    const { ec2 } = work.clients;
    const { name } = work.key;
    const VpcId = await work.idOfOther('network', network, 'network');
    const GroupId = await work.part({
      part: KIND,
      duplicate: 'InvalidGroup.Duplicate',
      find: async () => {
        const Filters = filtersOf(work.tags.installation, KIND, name, KIND);
        return (await ec2.describeSecurityGroups({ Filters })).SecurityGroups?.[0]?.GroupId ?? null;
      },
      create: async () => {
        const Tags = tagsOf({ kind: KIND, name, part: KIND, tags: work.tags });
        const group = await ec2.createSecurityGroup({
          ...{ VpcId, GroupName: shortName(work.tags.installation, KIND, name), Description: `Nodes of ${name}` },
          TagSpecifications: [{ ResourceType: 'security-group', Tags }],
        });
        return group.GroupId ?? '';
      },
    });
    await this.open(work, GroupId, ingress);
  }

  async look(
    { ec2 }: AwsClients,
    memories: ReadonlyMap<string, Remembered>,
  ): Promise<Map<string, Observed<typeof KIND>>> {
    const ids = idsOf(memories, KIND);
    if (ids.size === 0) return new Map();
    const Filters = [{ Name: 'group-id', Values: [...ids.keys()] }];
    const { SecurityGroups = [] } = await ec2.describeSecurityGroups({ Filters });
    const observed = SecurityGroups.flatMap(
      (group) => observedGroup(group, ids.get(group.GroupId ?? ''), memories) ?? [],
    );
    return new Map(observed.map((one) => [one.name, one]));
  }

  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const { ec2 } = work.clients;
    const Filters = filtersOf(installation, KIND, work.key.name, KIND);
    const { SecurityGroups = [] } = await ec2.describeSecurityGroups({ Filters });
    const groups = work.leftOf(
      KIND,
      SecurityGroups.map(({ GroupId }) => GroupId),
    );
    await work.startDeletion();
    let isGone = true;
    for (const GroupId of groups) isGone = (await isRemoved(ec2.deleteSecurityGroup({ GroupId }))) && isGone;
    return isGone;
  }

  async list({ ec2 }: AwsClients, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { SecurityGroups = [], NextToken } = await ec2.describeSecurityGroups(pageRequest(KIND, tags, cursor));
    return {
      observed: SecurityGroups.flatMap((group) => observedGroup(group, undefined, new Map()) ?? []),
      next: NextToken ?? null,
    };
  }

  /** Adds the missing rules first, so that a change never closes a port that stays open. */
  notVisibleYet(): { network: string } {
    return { network: '' };
  }

  private async open(work: AwsWork, GroupId: string, ingress: readonly FirewallIngress[]): Promise<void> {
    const { ec2 } = work.clients;
    const groups = await ec2.describeSecurityGroups({ Filters: [{ Name: 'group-id', Values: [GroupId] }] });
    const present = (groups.SecurityGroups?.[0]?.IpPermissions ?? []).flatMap(rulesOf);
    const wanted = wantedRules(GroupId, ingress);
    const missing = without(wanted, present);
    if (missing.length > 0) {
      const rules = { GroupId, IpPermissions: missing.map(permissionOf) };
      // After a lost answer, or when the search does not show new rules yet.
      await unless(['InvalidPermission.Duplicate'], ec2.authorizeSecurityGroupIngress(rules));
    }
    const superfluous = without(present, wanted);
    if (superfluous.length > 0)
      await ec2.revokeSecurityGroupIngress({ GroupId, IpPermissions: superfluous.map(permissionOf) });
  }
}

const wantedRules = (group: string, ingress: readonly FirewallIngress[]): Rule[] => [
  { protocol: ALL_PROTOCOLS, port: null, source: { group } },
  ...ingress.flatMap(({ protocol, port, cidrs }) => cidrs.map((cidr) => ({ protocol, port, source: { cidr } }))),
];

function rulesOf({ IpProtocol = '', FromPort, IpRanges, Ipv6Ranges, UserIdGroupPairs }: IpPermission): Rule[] {
  const sources: Rule['source'][] = [
    ...(IpRanges ?? []).map(({ CidrIp = '' }) => ({ cidr: CidrIp })),
    ...(Ipv6Ranges ?? []).map(({ CidrIpv6 = '' }) => ({ cidr: CidrIpv6 })),
    ...(UserIdGroupPairs ?? []).map(({ GroupId = '' }) => ({ group: GroupId })),
  ];
  const port = IpProtocol === ALL_PROTOCOLS ? null : (FromPort ?? null);
  return sources.map((source) => ({ protocol: IpProtocol, port, source }));
}

function permissionOf({ protocol, port, source }: Rule): IpPermission {
  const ports = port === null ? {} : { FromPort: port, ToPort: port };
  return { IpProtocol: protocol, ...ports, ...sourceOf(source) };
}

function sourceOf(source: Rule['source']): IpPermission {
  if ('group' in source) return { UserIdGroupPairs: [{ GroupId: source.group }] };
  return source.cidr.includes(':')
    ? { Ipv6Ranges: [{ CidrIpv6: source.cidr }] }
    : { IpRanges: [{ CidrIp: source.cidr }] };
}

function without(rules: readonly Rule[], others: readonly Rule[]): Rule[] {
  const known = new Set(others.map((rule) => JSON.stringify(rule)));
  return rules.filter((rule) => !known.has(JSON.stringify(rule)));
}

function observedGroup(
  { GroupId = '', VpcId = '', Tags }: SecurityGroup,
  name: string | undefined,
  memories: ReadonlyMap<string, Remembered>,
): Observed<typeof KIND> | null {
  const memory = memories.get(name ?? '');
  const owner = ownerBy(name, memory, Tags);
  const state = memory?.isDeleting ? 'deleting' : 'active';
  return owner && { ...owner, id: GroupId, state, attributes: { network: VpcId } };
}
