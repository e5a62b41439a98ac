import type { Subnet, Vpc } from '@aws-sdk/client-ec2';
import { slicesOf } from '@libs/domain';
import { CloudError } from '../cloud-error.js';
import type { InventoryTags, ResourceTags } from '../cloud-provider.js';
import type { NetworkLayout, NetworkSpec } from '../resource-specs.js';
import type { AwsClients } from './aws-clients.js';
import { AwsCustomerVpcs } from './network/aws-customer-vpcs.js';
import type { Page, Observed } from '../driver/driver-kind.js';
import type { AwsKind } from './aws-kind.js';
import type { DriverMemory, Remembered } from '../driver/driver-memory.js';
import { ownerOf, pageRequest } from './aws-names.js';
import { AwsSharedVpcs } from './network/aws-shared-vpcs.js';
import { AwsVpcs, type SubnetPlan } from './network/aws-vpcs.js';
import type { AwsWork } from './aws-work.js';

const KIND = 'network';
const SMALLEST_SUBNET_BITS = 28;
/** Remembered parts without a resource at AWS: the layout, and the range of the deployment. */
const [LAYOUT, CIDR] = ['layout', 'cidr'];

/** How the layout of the network is remembered. A network from before this memory is `own`. */
const layoutOf = ({ parts }: Remembered): string => parts.get(LAYOUT)?.id ?? 'own';

/** Whether other deployments use the VPC of the network too. */
export const isSharedNetwork = (network: Remembered): boolean => layoutOf(network) === 'shared';

/** The range of the network. Null: no call has created it yet. */
export const rangeOfNetwork = ({ parts }: Remembered): string | null => parts.get(CIDR)?.id ?? null;

/** The network of a deployment: a VPC of its own, a part in the shared one, or subnets in the VPC of a customer. */
export class AwsNetworks implements AwsKind<typeof KIND> {
  readonly pollAfterMs = 2_000;
  private readonly own = new AwsVpcs();
  private readonly customers = new AwsCustomerVpcs();
  private readonly shared: AwsSharedVpcs;

  constructor(memory: DriverMemory) {
    this.shared = new AwsSharedVpcs(memory);
  }

  async build(work: AwsWork, spec: NetworkSpec): Promise<void> {
    const { layout = 'own', region, cidr } = spec;
    // A network that exists keeps its layout: its nodes cannot move to another VPC.
    const layoutName = work.id(LAYOUT) ?? (work.id(KIND) === null ? nameOf(layout) : 'own');
    if (layoutName === 'shared') {
      await work.note(LAYOUT, layoutName);
      return this.shared.join(work, spec);
    }
    const isFree = typeof layout === 'object' && layout.range === 'free';
    const range = work.id(CIDR) ?? (isFree ? await this.customers.freeRange(work, layoutName) : cidr);
    const subnets = subnetsOf({ ...spec, cidr: range });
    await work.note(LAYOUT, layoutName);
    await work.note(CIDR, range);
    if (layoutName === 'own') return this.own.build(work, { owner: work.tags, region, cidr: range, subnets });
    return this.customers.build(work, { ...spec, cidr: range }, layoutName, subnets);
  }

  async look(
    clients: AwsClients,
    memories: ReadonlyMap<string, Remembered>,
  ): Promise<Map<string, Observed<typeof KIND>>> {
    const ids = new Set([...memories.values()].flatMap(({ parts }) => parts.get(KIND)?.id ?? []));
    if (ids.size === 0) return new Map();
    const filters = [{ Name: 'vpc-id', Values: [...ids] }];
    const { Vpcs = [] } = await clients.ec2.describeVpcs({ Filters: filters });
    const { Subnets = [] } = await clients.ec2.describeSubnets({ Filters: filters });
    const observed = [...memories].flatMap(([name, one]) => {
      const vpc = Vpcs.find(({ VpcId }) => VpcId === one.parts.get(KIND)?.id);
      const tags = one.tags ?? ownerOf(vpc?.Tags)?.tags;
      return vpc && tags
        ? [[name, observedNetwork({ name, tags }, vpc, subnetsIn(vpc, Subnets, one), one)] as const]
        : [];
    });
    return new Map(observed);
  }

  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const layout = work.id(LAYOUT) ?? 'own';
    if (layout === 'own') return this.own.remove(work, installation, () => work.startDeletion());
    return layout === 'shared' ? this.shared.leave(work, installation) : this.customers.remove(work, installation);
  }

  /** The users of the shared VPC have nothing of their own at AWS: the memory has them. A customer's VPC has no tags of Landlord. */
  async list(clients: AwsClients, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const search = pageRequest(KIND, tags, cursor);
    if (clients.at.account !== null) {
      const { Subnets = [], NextToken = null } = await clients.ec2.describeSubnets(search);
      const observed = Subnets.map(({ VpcId, Tags }) => ({ VpcId, Tags, State: 'available' as const }));
      return { observed: observed.flatMap(listed), next: NextToken };
    }
    const { Vpcs = [], NextToken = null } = await clients.ec2.describeVpcs(search);
    const users = NextToken === null ? await this.shared.users(tags.installation, clients) : [];
    const shared = users
      .filter((user) => [undefined, user.tags.deployment_id].includes(tags.deployment_id))
      .map(({ vpcId, ...owner }) => observedNetwork(owner, { VpcId: vpcId }, [], undefined));
    return { observed: [...Vpcs.flatMap(listed), ...shared], next: NextToken };
  }

  notVisibleYet(): { cidr: string; network_id: string; subnet_ids: string[] } {
    return { cidr: '', network_id: '', subnet_ids: [] };
  }
}

const nameOf = (layout: NetworkLayout): string => (typeof layout === 'string' ? layout : layout.vpc_id);

/** @throws CloudError `invalid` when the range is too small */
function subnetsOf({ cidr, zones }: NetworkSpec): SubnetPlan[] {
  const slices = slicesOf(cidr, zones.length);
  if (slices.some((slice) => Number(slice.split('/')[1]) > SMALLEST_SUBNET_BITS))
    throw new CloudError({ code: 'invalid' }, `${cidr} is too small for a subnet in each of ${zones.length} zones`);
  return zones.map((zone, index) => ({ zone, cidr: slices[index] ?? cidr }));
}

/** The subnets of the network in its VPC. */
function subnetsIn(vpc: Vpc, subnets: readonly Subnet[], memory: Remembered): Subnet[] {
  const subnetIds = new Set(
    [...memory.parts].flatMap(([part, { id }]) => (part.startsWith('subnet ') ? (id ?? []) : [])),
  );
  return subnets.filter(({ VpcId, SubnetId = '' }) => VpcId === vpc.VpcId && subnetIds.has(SubnetId));
}

function listed(vpc: Vpc): Observed<typeof KIND>[] {
  const owner = ownerOf(vpc.Tags);
  return owner === null ? [] : [observedNetwork(owner, vpc, [], undefined)];
}

const accountOf = ({ OwnerId }: Vpc) => (OwnerId === undefined ? {} : { account_id: OwnerId });

function observedNetwork(
  owner: { name: string; tags: ResourceTags },
  vpc: Vpc,
  subnets: readonly Subnet[],
  memory: Remembered | undefined,
): Observed<typeof KIND> {
  const isWhole = vpc.State === 'available' && Boolean(memory?.parts.get('route')?.id);
  return {
    ...owner,
    id: vpc.VpcId ?? '',
    state: memory?.isDeleting ? 'deleting' : isWhole ? 'active' : 'pending',
    attributes: {
      cidr: (memory && rangeOfNetwork(memory)) ?? vpc.CidrBlock ?? '',
      network_id: vpc.VpcId ?? '',
      subnet_ids: subnets.map(({ SubnetId = '' }) => SubnetId).sort(),
      ...accountOf(vpc),
    },
  };
}
