import type { Subnet, Vpc } from '@aws-sdk/client-ec2';
import { overlap, subnetWithin } from '@libs/domain';
import { CloudError } from '../../cloud-error.js';
import type { NetworkSpec } from '../../resource-specs.js';
import { isRemoved } from '../aws-clients.js';
import { filtersOfParts, isMainPart, ownerOf, zoneName } from '../aws-names.js';
import { AwsVpcs, subnetPart, type SubnetPlan } from './aws-vpcs.js';
import type { AwsWork } from '../aws-work.js';

const KIND = 'network';
const RANGE_BITS = 24;

/** Subnets in a VPC of a customer. The VPC, its gateways and its routes belong to the customer. */
export class AwsCustomerVpcs {
  private readonly vpcs = new AwsVpcs();

  /** @throws CloudError `invalid` when the VPC does not exist here, or its range has no room for the subnets */
  async build(
    work: AwsWork,
    { region, cidr }: NetworkSpec,
    VpcId: string,
    plans: readonly SubnetPlan[],
  ): Promise<void> {
    if (work.id(KIND) === VpcId && plans.every(({ zone }) => work.id(subnetPart(zone)) !== null)) return;
    const vpc = await this.find(work, VpcId);
    requireWithin(cidr, vpc);
    for (const [index, plan] of plans.entries()) {
      // The VPC has no tags of Landlord. The first subnet has those of the network, so that a search finds it.
      const tag = index === 0 ? KIND : subnetPart(plan.zone);
      const place = { VpcId, CidrBlock: plan.cidr, AvailabilityZone: zoneName(region, plan.zone) };
      const find = (): Promise<Subnet | null> => this.ownOrRefused(work, VpcId, plan, tag);
      await this.vpcs.subnet(work, { owner: work.tags, zone: plan.zone, place, tag, find });
    }
    await work.note(KIND, VpcId);
    await work.note('route', VpcId);
  }

  /**
   * The first range of 256 addresses without a subnet, from a place that depends on the deployment: so two deployments that
   * look at the same time do not choose the same one.
   * @throws CloudError `invalid` when the VPC does not exist here, or has no such range
   */
  async freeRange(work: AwsWork, VpcId: string): Promise<string> {
    const { CidrBlock = '' } = await this.find(work, VpcId);
    const Filters = [{ Name: 'vpc-id', Values: [VpcId] }];
    const { Subnets = [] } = await work.clients.ec2.describeSubnets({ Filters });
    const count = 2 ** Math.max(0, RANGE_BITS - Number(CidrBlock.split('/')[1]));
    for (let index = 0; index < count; index += 1) {
      const range = subnetWithin(CidrBlock, work.tags.deployment_id + index);
      if (!Subnets.some((subnet) => overlap(subnet.CidrBlock ?? range, range))) return range;
    }
    throw new CloudError({ code: 'invalid' }, `${VpcId} (${CidrBlock}) has no free range of /${RANGE_BITS}`);
  }

  /** Deletes the subnets. The first one is the last, because the inventory finds the network by it. True: nothing is left. */
  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const { ec2 } = work.clients;
    const Filters = filtersOfParts(installation, KIND, work.key.name);
    const { Subnets = [] } = await ec2.describeSubnets({ Filters });
    await work.startDeletion();
    const idsOf = (subnets: readonly Subnet[]): string[] => subnets.map(({ SubnetId = '' }) => SubnetId);
    const first = idsOf(Subnets.filter(({ Tags }) => isMainPart(Tags, KIND)));
    const all = new Set([...idsOf(Subnets), ...work.ids('subnet ')]);
    for (const SubnetId of [...[...all].filter((id) => !first.includes(id)), ...first])
      if (!(await isRemoved(ec2.deleteSubnet({ SubnetId })))) return false;
    return true;
  }

  private async find({ clients }: AwsWork, VpcId: string): Promise<Vpc> {
    const { Vpcs = [] } = await clients.ec2.describeVpcs({ Filters: [{ Name: 'vpc-id', Values: [VpcId] }] });
    if (Vpcs[0]) return Vpcs[0];
    throw new CloudError({ code: 'invalid' }, `the account has no VPC ${VpcId} in ${clients.at.region}`);
  }

  /** AWS has refused the subnet, because another one has its addresses: an own one after a lost answer, or one of the customer. */
  private async ownOrRefused(work: AwsWork, VpcId: string, { cidr }: SubnetPlan, tag: string): Promise<Subnet | null> {
    const subnet = await this.vpcs.taggedSubnet(work, work.tags, VpcId, tag);
    if (subnet !== null) return subnet;
    const Filters = [{ Name: 'vpc-id', Values: [VpcId] }];
    const { Subnets = [] } = await work.clients.ec2.describeSubnets({ Filters });
    const other = Subnets.find(({ CidrBlock = cidr }) => overlap(CidrBlock, cidr));
    if (other === undefined) return null;
    const whose = ownerOf(other.Tags)?.name ?? 'not of Landlord';
    throw new CloudError(
      { code: 'invalid' },
      `${cidr} overlaps the subnet ${other.SubnetId} (${other.CidrBlock}, ${whose}) of ${VpcId}`,
    );
  }
}

function requireWithin(cidr: string, { VpcId, CidrBlock = '', CidrBlockAssociationSet = [] }: Vpc): void {
  const ranges = [CidrBlock, ...CidrBlockAssociationSet.map((one) => one.CidrBlock ?? '')].filter(Boolean);
  const bits = (range: string): number => Number(range.split('/')[1]);
  if (ranges.some((range) => bits(range) <= bits(cidr) && overlap(range, cidr))) return;
  const rangeList = [...new Set(ranges)].join(', ');
  throw new CloudError({ code: 'invalid' }, `${cidr} is outside ${VpcId} (${rangeList}): choose a vpc_cidr within it`);
}
