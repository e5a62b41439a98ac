import type { VpcPeeringConnection } from '@aws-sdk/client-ec2';
import { CloudError } from '../../cloud-error.js';
import type { InventoryTags, ResourceTags } from '../../cloud-provider.js';
import { VPC_PEERING_STATUSES, type ResourceAttributes, type VpcPeeringStatus } from '../../resource-attributes.js';
import { peeringConditions, requireFree } from '../../peering-conditions.js';
import type { VpcPeeringSpec } from '../../resource-specs.js';
import { ifThere, isRemoved, unless, type AwsClients } from '../aws-clients.js';
import { LAST_SEEN, type Page, type Observed } from '../../driver/driver-kind.js';
import type { AwsKind } from '../aws-kind.js';
import { idsOf, type Remembered } from '../../driver/driver-memory.js';
import { filtersOf, ownerOf, pageRequest, tagsOf } from '../aws-names.js';
import { isSharedNetwork, rangeOfNetwork } from '../aws-networks.js';
import { AwsPeeringRoutes } from './aws-peering-routes.js';
import type { AwsWork } from '../aws-work.js';

const KIND = 'vpc_peering';
type Attributes = ResourceAttributes[typeof KIND];

const CONDITIONS = peeringConditions('AWS could not connect the networks');

/** A peering that Landlord requests from the VPC of a deployment, with a route to the other side. */
export class AwsPeerings implements AwsKind<typeof KIND> {
  readonly pollAfterMs = 5_000;
  private readonly routes = new AwsPeeringRoutes();

  /** @throws CloudError `invalid` when the network is shared or overlaps the other one, or the other VPC does not exist */
  async build(work: AwsWork, spec: VpcPeeringSpec): Promise<void> {
    const id = work.id(KIND) ?? (await this.request(work, spec));
    if (this.routes.isThere(work)) return;
    const status = statusOf((await this.all(work.clients, [id])).find((one) => one.VpcPeeringConnectionId === id));
    // A route to a peering that nobody has accepted yet has no effect, and works from the moment of the acceptance.
    if (CONDITIONS[status].state !== 'failed' && CONDITIONS[status].state !== 'deleting')
      await this.routes.add(work, { id, network: spec.network, cidr: spec.peer_cidr });
  }

  async look(
    clients: AwsClients,
    memories: ReadonlyMap<string, Remembered>,
  ): Promise<Map<string, Observed<typeof KIND>>> {
    const ids = idsOf(memories, KIND);
    if (ids.size === 0) return new Map();
    const peerings = await this.all(clients, [...ids.keys()]);
    const observed = new Map<string, Observed<typeof KIND>>();
    for (const [id, name] of ids) {
      const one = memories.get(name);
      const peering = peerings.find((other) => other.VpcPeeringConnectionId === id);
      const tags = one?.tags ?? ownerOf(peering?.Tags)?.tags;
      const attributes = peering ? attributesOf(peering) : endOf(one, id);
      if (tags && attributes)
        observed.set(name, observedPeering({ name, tags, id }, attributes, one, peering?.Status?.Message));
    }
    return observed;
  }

  /** AWS stops showing a peering some hours after its end. */
  lastSeen({ state, attributes }: Observed<typeof KIND>): string | null {
    return state === 'failed' ? JSON.stringify(attributes) : null;
  }

  /** The route, which leads nowhere after the other side has rejected or removed the peering. */
  leftBehind({ state, attributes }: Observed<typeof KIND>, memory: Remembered | undefined) {
    const hasEnded = state === 'failed' || attributes.status === 'deleted';
    if (!hasEnded || !this.routes.isLeft(memory)) return null;
    return (work: AwsWork) => this.routes.forget(work, work.id(KIND));
  }

  async remove(work: AwsWork, installation: string): Promise<boolean> {
    const { ec2 } = work.clients;
    const tagged = await this.tagged(work.clients, installation, work.key.name);
    await work.startDeletion();
    await this.routes.remove(work, work.id(KIND));
    const ids = work.leftOf(
      KIND,
      tagged.map(({ id }) => id),
    );
    for (const VpcPeeringConnectionId of ids) {
      // AWS refuses the deletion of a peering that has ended.
      const isDeleted = isRemoved(ec2.deleteVpcPeeringConnection({ VpcPeeringConnectionId }));
      if ((await unless(['InvalidStateTransition'], isDeleted)) === false) return false;
    }
    return !(await this.all(work.clients, ids)).some((one) => !hasEnded(statusOf(one)));
  }

  /** Peerings that have ended are missing: AWS removes them by itself. */
  async list({ ec2 }: AwsClients, tags: InventoryTags, cursor: string | null): Promise<Page<typeof KIND>> {
    const { VpcPeeringConnections = [], NextToken } = await ec2.describeVpcPeeringConnections(
      pageRequest(KIND, tags, cursor),
    );
    const observed = VpcPeeringConnections.filter((one) => !hasEnded(statusOf(one))).flatMap((peering) => {
      const owner = ownerOf(peering.Tags);
      const isAsked =
        owner?.tags.installation === tags.installation &&
        [undefined, owner.tags.deployment_id].includes(tags.deployment_id);
      const id = peering.VpcPeeringConnectionId ?? '';
      return isAsked ? [observedPeering({ ...owner, id }, attributesOf(peering), undefined)] : [];
    });
    return { observed, next: NextToken ?? null };
  }

  notVisibleYet(): Attributes {
    return {
      ...{ connection_id: null, status: 'initiating_request' },
      requester: { vpc_id: '', owner_id: '', region: '', cidr: '' },
    };
  }

  private async request(work: AwsWork, spec: VpcPeeringSpec): Promise<string> {
    // Before the creation is begun: AWS has certainly no peering of a network that does not exist.
    const VpcId = await work.idOfOther('network', spec.network, 'network');
    const network = await work.other('network', spec.network);
    if (network) requireFree({ isShared: isSharedNetwork(network), range: rangeOfNetwork(network) }, spec);
    const { name } = work.key;
    return work.part({
      part: KIND,
      find: async () => (await this.tagged(work.clients, work.tags.installation, name))[0]?.id ?? null,
      create: () => this.create(work, spec, VpcId),
    });
  }

  private async create(work: AwsWork, spec: VpcPeeringSpec, VpcId: string): Promise<string> {
    const Tags = tagsOf({ kind: KIND, name: work.key.name, part: KIND, tags: work.tags });
    const { peer_vpc_id: PeerVpcId, peer_owner_id: PeerOwnerId, peer_region, region } = spec;
    const peering = await ifThere(
      work.clients.ec2.createVpcPeeringConnection({
        ...{ VpcId, PeerVpcId, PeerOwnerId, ...(peer_region !== region && { PeerRegion: peer_region }) },
        TagSpecifications: [{ ResourceType: 'vpc-peering-connection', Tags }],
      }),
    );
    if (peering) return peering.VpcPeeringConnection?.VpcPeeringConnectionId ?? '';
    throw new CloudError({ code: 'invalid' }, `the account ${PeerOwnerId} has no VPC ${PeerVpcId} in ${peer_region}`);
  }

  private async all({ ec2 }: AwsClients, ids: readonly string[]): Promise<VpcPeeringConnection[]> {
    const Filters = [{ Name: 'vpc-peering-connection-id', Values: [...ids] }];
    const { VpcPeeringConnections = [] } = ids.length > 0 ? await ec2.describeVpcPeeringConnections({ Filters }) : {};
    return VpcPeeringConnections.filter(({ VpcPeeringConnectionId = '' }) => ids.includes(VpcPeeringConnectionId));
  }

  /** Those that have not ended: an earlier peering with the name can still be shown. */
  private async tagged({ ec2 }: AwsClients, installation: string, name: string): Promise<{ id: string }[]> {
    const Filters = filtersOf(installation, KIND, name, KIND);
    const { VpcPeeringConnections = [] } = await ec2.describeVpcPeeringConnections({ Filters });
    return VpcPeeringConnections.filter((one) => {
      const owner = ownerOf(one.Tags);
      return owner?.name === name && owner.tags.installation === installation && !hasEnded(statusOf(one));
    }).map(({ VpcPeeringConnectionId: id = '' }) => ({ id }));
  }
}

const hasEnded = (status: VpcPeeringStatus): boolean => CONDITIONS[status].state === 'failed' || status === 'deleted';

/** A peering that AWS does not show yet has just been requested. */
function statusOf(peering: VpcPeeringConnection | undefined): VpcPeeringStatus {
  const status = (peering?.Status?.Code ?? '').replaceAll('-', '_');
  return VPC_PEERING_STATUSES.find((one) => one === status) ?? 'initiating_request';
}

function attributesOf(peering: VpcPeeringConnection): Attributes {
  const { VpcId = '', OwnerId = '', Region = '', CidrBlock = '' } = peering.RequesterVpcInfo ?? {};
  return {
    ...{ connection_id: peering.VpcPeeringConnectionId ?? null, status: statusOf(peering) },
    requester: { vpc_id: VpcId, owner_id: OwnerId, region: Region, cidr: CidrBlock },
  };
}

/** How the peering ended, when AWS no longer shows it. Null: it was not seen to fail, so it is gone. */
function endOf(memory: Remembered | undefined, id: string): Attributes | null {
  const last = memory?.parts.get(LAST_SEEN)?.id;
  const attributes = last ? (JSON.parse(last) as Attributes) : null;
  return attributes?.connection_id === id ? attributes : null;
}

function observedPeering(
  owner: { name: string; tags: ResourceTags; id: string },
  attributes: Attributes,
  memory: Remembered | undefined,
  message?: string,
): Observed<typeof KIND> {
  const status = memory?.isDeleting ? 'deleting' : attributes.status;
  const { state, reason } = CONDITIONS[status];
  const why = status === 'failed' && message ? message : reason;
  return { ...owner, state, ...(why && { reason: why }), attributes: { ...attributes, status } };
}
