import type { Filter, Subnet, Vpc } from '@aws-sdk/client-ec2';
import { slicesOf } from '@libs/domain';
import { CloudError } from '../cloud-error.js';
import type { ResourceTags } from '../cloud-provider.js';
import type { ResourceSpecs } from '../resource-specs.js';
import { isRemoved, unless, type AwsClients } from './aws-clients.js';
import type { AwsKind, Page, Shown } from './aws-kind.js';
import { idsOf, type Remembered } from './aws-memory.js';
import { filtersOf, filtersOfAll, ownerOf, tagsOf, zoneName } from './aws-names.js';
import type { AwsWork } from './aws-work.js';

const KIND = 'network';
const GATEWAY = 'gateway';
const EVERYWHERE = '0.0.0.0/0';
const ON_A_PAGE = 200;
const SMALLEST_SUBNET_BITS = 28;

const subnetPart = (zone: string): string => `subnet ${zone}`;

/** A VPC with one subnet for each zone, and a way to the internet by its main route table. */
export class AwsNetworks implements AwsKind<typeof KIND> {
  readonly lookAgainMs = 2_000;

  async build(work: AwsWork, { cidr, region, zones }: ResourceSpecs['network']): Promise<void> {
    const { ec2 } = work.clients;
    const slices = slicesOf(cidr, zones.length);
    if (slices.some((slice) => Number(slice.split('/')[1]) > SMALLEST_SUBNET_BITS))
      throw new CloudError({ code: 'invalid' }, `${cidr} is too small for a subnet in each of ${zones.length} zones`);
    const VpcId = await work.part({
      part: KIND,
      find: async () => (await this.vpcs(work, KIND))[0]?.VpcId ?? null,
      create: async () => {
        const { Vpc } = await ec2.createVpc({ CidrBlock: cidr, TagSpecifications: this.tags(work, 'vpc', KIND) });
        return Vpc?.VpcId ?? '';
      },
    });
    for (const [index, zone] of zones.entries())
      await this.subnet(work, { VpcId, CidrBlock: slices[index], AvailabilityZone: zoneName(region, zone) }, zone);
    await this.openToInternet(work, VpcId);
  }

  async look(clients: AwsClients, known: ReadonlyMap<string, Remembered>): Promise<Map<string, Shown<typeof KIND>>> {
    const ids = idsOf(known, KIND);
    if (ids.size === 0) return new Map();
    const filters = [{ Name: 'vpc-id', Values: [...ids.keys()] }];
    const { Vpcs = [] } = await clients.ec2.describeVpcs({ Filters: filters });
    const { Subnets = [] } = await clients.ec2.describeSubnets({ Filters: filters });
    const shown = Vpcs.flatMap((vpc) => {
      const name = ids.get(vpc.VpcId ?? '');
      const own = Subnets.filter(({ VpcId }) => VpcId === vpc.VpcId);
      const one = name === undefined ? null : shownVpc(vpc, own, known.get(name));
      return one ? [[one.name, one] as const] : [];
    });
    return new Map(shown);
  }

  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const { ec2 } = work.clients;
    const searched = (part: string) => ({ Filters: filtersOf(installation, KIND, work.key.name, part) });
    const { Vpcs = [] } = await ec2.describeVpcs(searched(KIND));
    await work.startDeletion();
    let isGone = true;
    for (const id of work.leftOf(
      KIND,
      Vpcs.map(({ VpcId }) => VpcId),
    ))
      isGone = (await this.removeVpc(work, id)) && isGone;
    // A gateway whose attachment was cut is in no VPC.
    const { InternetGateways = [] } = await ec2.describeInternetGateways(searched(GATEWAY));
    for (const InternetGatewayId of work.leftOf(
      GATEWAY,
      InternetGateways.map((one) => one.InternetGatewayId),
    ))
      isGone = (await isRemoved(ec2.deleteInternetGateway({ InternetGatewayId }))) && isGone;
    return isGone;
  }

  async list(
    { ec2 }: AwsClients,
    { installation, deployment_id }: Partial<ResourceTags> & { installation: string },
    cursor: string | null,
  ): Promise<Page<typeof KIND>> {
    const Filters = filtersOfAll(installation, KIND, deployment_id);
    const { Vpcs = [], NextToken } = await ec2.describeVpcs({
      ...{ Filters, MaxResults: ON_A_PAGE },
      ...(cursor !== null && { NextToken: cursor }),
    });
    return { shown: Vpcs.flatMap((vpc) => shownVpc(vpc, [], undefined) ?? []), next: NextToken ?? null };
  }

  unseen(): { cidr: string; network_id: string; subnet_ids: string[] } {
    return { cidr: '', network_id: '', subnet_ids: [] };
  }

  private async subnet(
    work: AwsWork,
    input: { VpcId: string; CidrBlock: string | undefined; AvailabilityZone: string },
    zone: string,
  ) {
    const { ec2 } = work.clients;
    const part = subnetPart(zone);
    await work.part({
      part,
      duplicate: 'InvalidSubnet.Conflict',
      find: async () => {
        const Filters: Filter[] = [{ Name: 'vpc-id', Values: [input.VpcId] }, ...this.filters(work, part)];
        return (await ec2.describeSubnets({ Filters })).Subnets?.[0]?.SubnetId ?? null;
      },
      create: async () => {
        const { Subnet } = await ec2.createSubnet({ ...input, TagSpecifications: this.tags(work, 'subnet', part) });
        return Subnet?.SubnetId ?? '';
      },
    });
  }

  private async openToInternet(work: AwsWork, VpcId: string): Promise<void> {
    const { ec2 } = work.clients;
    if (work.id('route')) return;
    const InternetGatewayId = await work.part({
      part: GATEWAY,
      find: async () => {
        const { InternetGateways } = await ec2.describeInternetGateways({ Filters: this.filters(work, GATEWAY) });
        return InternetGateways?.[0]?.InternetGatewayId ?? null;
      },
      create: async () => {
        const made = await ec2.createInternetGateway({
          TagSpecifications: this.tags(work, 'internet-gateway', GATEWAY),
        });
        return made.InternetGateway?.InternetGatewayId ?? '';
      },
    });
    await unless(['Resource.AlreadyAssociated'], ec2.attachInternetGateway({ InternetGatewayId, VpcId }));
    const main = [
      { Name: 'vpc-id', Values: [VpcId] },
      { Name: 'association.main', Values: ['true'] },
    ];
    const RouteTableId = (await ec2.describeRouteTables({ Filters: main })).RouteTables?.[0]?.RouteTableId;
    // AWS does not show the table of a new VPC at once. The next call adds the route.
    if (RouteTableId === undefined) return;
    // The route has no id of its own. A repetition changes nothing, so it needs no memory of its begin.
    const route = { RouteTableId, DestinationCidrBlock: EVERYWHERE, GatewayId: InternetGatewayId };
    await unless(['RouteAlreadyExists'], ec2.createRoute(route));
    await work.note('route', RouteTableId);
  }

  private async removeVpc({ clients: { ec2 } }: AwsWork, VpcId: string): Promise<boolean> {
    const Filters = [{ Name: 'vpc-id', Values: [VpcId] }];
    const { Subnets = [] } = await ec2.describeSubnets({ Filters });
    for (const { SubnetId } of Subnets) if (!(await isRemoved(ec2.deleteSubnet({ SubnetId })))) return false;
    const attached = { Filters: [{ Name: 'attachment.vpc-id', Values: [VpcId] }] };
    for (const { InternetGatewayId } of (await ec2.describeInternetGateways(attached)).InternetGateways ?? []) {
      if (!(await isRemoved(ec2.detachInternetGateway({ InternetGatewayId, VpcId })))) return false;
      if (!(await isRemoved(ec2.deleteInternetGateway({ InternetGatewayId })))) return false;
    }
    return isRemoved(ec2.deleteVpc({ VpcId }));
  }

  private async vpcs(work: AwsWork, part: string): Promise<Vpc[]> {
    return (await work.clients.ec2.describeVpcs({ Filters: this.filters(work, part) })).Vpcs ?? [];
  }

  private filters({ key, tags }: AwsWork, part: string): Filter[] {
    return filtersOf(tags.installation, KIND, key.name, part);
  }

  private tags({ key, tags }: AwsWork, ResourceType: 'vpc' | 'subnet' | 'internet-gateway', part: string) {
    return [{ ResourceType, Tags: tagsOf({ kind: KIND, name: key.name, part, tags }) }];
  }
}

function shownVpc(vpc: Vpc, subnets: Subnet[], known: Remembered | undefined): Shown<typeof KIND> | null {
  const owner = ownerOf(vpc.Tags);
  if (owner === null) return null;
  const isWhole = vpc.State === 'available' && Boolean(known?.parts.get('route')?.id);
  return {
    ...owner,
    id: vpc.VpcId ?? '',
    state: known?.isDeleting ? 'deleting' : isWhole ? 'active' : 'pending',
    attributes: {
      cidr: vpc.CidrBlock ?? '',
      network_id: vpc.VpcId ?? '',
      subnet_ids: subnets.map(({ SubnetId = '' }) => SubnetId).sort(),
    },
  };
}
