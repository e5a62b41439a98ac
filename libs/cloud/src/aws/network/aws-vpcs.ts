import type { Filter, Subnet } from '@aws-sdk/client-ec2';
import { isRemoved, unless } from '../aws-clients.js';
import { filtersOf, tagsOf, zoneName, type PartOwner } from '../aws-names.js';
import type { AwsWork } from '../aws-work.js';

const KIND = 'network';
const GATEWAY = 'gateway';
const ROUTE = 'route';
const EVERYWHERE = '0.0.0.0/0';

/** A subnet in a zone of the catalog. */
export interface SubnetPlan {
  zone: string;
  cidr: string;
}

export interface VpcPlan {
  owner: PartOwner;
  region: string;
  cidr: string;
  subnets: readonly SubnetPlan[];
}

/** The part with the id of a subnet. Nodes and balancers read it. */
export const subnetPart = (zone: string): string => `subnet ${zone}`;

/** The VPCs that Landlord creates: a subnet for each zone, and a way to the internet by the main route table. */
export class AwsVpcs {
  /** Creates what is missing. */
  async build(work: AwsWork, { owner, region, cidr, subnets }: VpcPlan): Promise<void> {
    const { ec2 } = work.clients;
    const VpcId = await work.part({
      part: KIND,
      find: async () => (await ec2.describeVpcs({ Filters: this.filters(work, owner, KIND) })).Vpcs?.[0]?.VpcId ?? null,
      create: async () => {
        const { Vpc } = await ec2.createVpc({
          ...{ CidrBlock: cidr, TagSpecifications: this.tags(work, owner, 'vpc', KIND) },
        });
        return Vpc?.VpcId ?? '';
      },
    });
    for (const { zone, cidr: CidrBlock } of subnets) {
      const find = (): Promise<Subnet | null> => this.taggedSubnet(work, owner, VpcId, subnetPart(zone));
      const place = { VpcId, CidrBlock, AvailabilityZone: zoneName(region, zone) };
      await this.subnet(work, { owner, zone, place, tag: subnetPart(zone), find });
    }
    await this.openToInternet(work, owner, VpcId);
  }

  /** `find`: the subnet of this plan, after AWS has refused another one. Null: AWS does not show it yet. */
  subnet(
    work: AwsWork,
    plan: {
      owner: PartOwner;
      zone: string;
      place: { VpcId: string; CidrBlock: string; AvailabilityZone: string };
      tag: string;
      find: () => Promise<Subnet | null>;
    },
  ): Promise<string> {
    const { owner, zone, place, tag, find } = plan;
    return work.part({
      part: subnetPart(zone),
      duplicate: 'InvalidSubnet.Conflict',
      find: async () => (await find())?.SubnetId ?? null,
      create: async () => {
        const TagSpecifications = this.tags(work, owner, 'subnet', tag);
        const { Subnet } = await work.clients.ec2.createSubnet({ ...place, TagSpecifications });
        return Subnet?.SubnetId ?? '';
      },
    });
  }

  async taggedSubnet(work: AwsWork, owner: PartOwner, VpcId: string, tag: string): Promise<Subnet | null> {
    const Filters: Filter[] = [{ Name: 'vpc-id', Values: [VpcId] }, ...this.filters(work, owner, tag)];
    return (await work.clients.ec2.describeSubnets({ Filters })).Subnets?.[0] ?? null;
  }

  /**
   * Deletes the remembered VPC, and those that the tags show. True: nothing is left.
   * @param begin Records that the deletion has started, after the search and before the first deletion
   */
  async remove(work: AwsWork, installation: string, begin: () => Promise<void>): Promise<boolean> {
    const { ec2 } = work.clients;
    const searched = (part: string) => ({ Filters: filtersOf(installation, KIND, work.key.name, part) });
    const { Vpcs = [] } = await ec2.describeVpcs(searched(KIND));
    await begin();
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

  /** After a deletion that has not ended: forgets the parts that AWS no longer has, so that `build` creates them again. */
  async forgetMissing(work: AwsWork): Promise<void> {
    const { ec2 } = work.clients;
    // The route has no id, and is deleted with its gateway. `build` adds it where it is missing.
    await work.drop(ROUTE);
    const [vpc, gateway] = [work.id(KIND), work.id(GATEWAY)];
    const inVpc = { Filters: [{ Name: 'vpc-id', Values: [vpc ?? ''] }] };
    const { Subnets = [] } = await ec2.describeSubnets(inVpc);
    for (const part of work.partsOf('subnet '))
      if (!Subnets.some(({ SubnetId }) => SubnetId === work.id(part))) await work.drop(part);
    const { InternetGateways } = await ec2.describeInternetGateways({
      Filters: [{ Name: 'internet-gateway-id', Values: [gateway ?? ''] }],
    });
    if (gateway !== null && !InternetGateways?.length) await work.drop(GATEWAY);
    if (vpc !== null && !(await ec2.describeVpcs(inVpc)).Vpcs?.length) await work.drop(KIND);
  }

  private async openToInternet(work: AwsWork, owner: PartOwner, VpcId: string): Promise<void> {
    const { ec2 } = work.clients;
    if (work.id(ROUTE)) return;
    const InternetGatewayId = await work.part({
      part: GATEWAY,
      find: async () => {
        const { InternetGateways } = await ec2.describeInternetGateways({
          Filters: this.filters(work, owner, GATEWAY),
        });
        return InternetGateways?.[0]?.InternetGatewayId ?? null;
      },
      create: async () => {
        const gateway = await ec2.createInternetGateway({
          TagSpecifications: this.tags(work, owner, 'internet-gateway', GATEWAY),
        });
        return gateway.InternetGateway?.InternetGatewayId ?? '';
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
    await work.note(ROUTE, RouteTableId);
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

  private filters({ key }: AwsWork, { installation }: PartOwner, part: string): Filter[] {
    return filtersOf(installation, KIND, key.name, part);
  }

  private tags({ key }: AwsWork, owner: PartOwner, ResourceType: 'vpc' | 'subnet' | 'internet-gateway', part: string) {
    return [{ ResourceType, Tags: tagsOf({ kind: KIND, name: key.name, part, tags: owner }) }];
  }
}
