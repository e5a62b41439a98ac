import { isRemoved, unless } from '../aws-clients.js';
import type { Remembered } from '../../driver/driver-memory.js';
import type { AwsWork } from '../aws-work.js';

/** Remembered before and after the creation of the route: its table and the range of the other side. */
const [TABLE, ROUTE] = ['table', 'route'];

export interface PeeringRoute {
  /** The id of the peering. */
  id: string;
  /** The name of Landlord's network. */
  network: string;
  /** The range of the other side. */
  cidr: string;
}

/** The route of a peering in the main table of the VPC. */
export class AwsPeeringRoutes {
  isThere(work: AwsWork): boolean {
    return work.id(ROUTE) !== null;
  }

  /** Whether the route can be at AWS. */
  isLeft(memory: Remembered | undefined): boolean {
    return memory?.parts.has(TABLE) ?? false;
  }

  async add(work: AwsWork, { id, network, cidr }: PeeringRoute): Promise<void> {
    const { ec2 } = work.clients;
    const RouteTableId = await work.idOfOther('network', network, 'route');
    await work.note(TABLE, `${RouteTableId} ${cidr}`);
    const route = { RouteTableId, DestinationCidrBlock: cidr, VpcPeeringConnectionId: id };
    // The route of a peering that the other side has removed stays, and leads nowhere.
    const isNew = await unless(['RouteAlreadyExists'], ec2.createRoute(route));
    if (isNew === null) await ec2.replaceRoute(route);
    await work.note(ROUTE, `${RouteTableId} ${cidr}`);
  }

  /** Like `remove`, for a peering that stays described. */
  async forget(work: AwsWork, peeringId: string | null): Promise<void> {
    await this.remove(work, peeringId);
    for (const part of [TABLE, ROUTE]) await work.drop(part);
  }

  /** Removes the route if it still leads to the peering. */
  async remove(work: AwsWork, peeringId: string | null): Promise<void> {
    const { ec2 } = work.clients;
    const [RouteTableId, cidr] = (work.id(TABLE) ?? '').split(' ');
    if (!RouteTableId || !cidr) return;
    const Filters = [{ Name: 'route-table-id', Values: [RouteTableId] }];
    const { RouteTables = [] } = await ec2.describeRouteTables({ Filters });
    const isOwn = RouteTables.flatMap(({ Routes = [] }) => Routes).some(
      (route) => route.DestinationCidrBlock === cidr && route.VpcPeeringConnectionId === peeringId,
    );
    if (isOwn) await isRemoved(ec2.deleteRoute({ RouteTableId, DestinationCidrBlock: cidr }));
  }
}
