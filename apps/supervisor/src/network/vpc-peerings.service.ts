import { Injectable } from '@nestjs/common';
import type { ResourceAttributes, VpcPeeringStatus } from '@libs/cloud';
import type { ActingCaller } from '@libs/http';
import type { PrivateConnection } from '@libs/persistence/runtime';
import { type Written, type PrivateConnectionId } from '@libs/domain';
import type { InstructionsView } from './dto/instructions.view.js';
import type { CreateVpcPeeringDto } from './dto/vpc-peering.dto.js';
import type { VpcPeeringView } from './dto/vpc-peering.view.js';
import { vpcPeeringInstructions } from './instructions/vpc-peering-instructions.js';
import { PrivateConnections, type NetworkedDeployment } from './private-connections.js';

const KIND = 'vpc_peering';

/** VPC peerings on AWS. */
@Injectable()
export class VpcPeeringsService {
  constructor(private readonly connections: PrivateConnections) {}

  /** @throws DomainError those of `PrivateConnections.create` */
  create(actor: ActingCaller, dto: CreateVpcPeeringDto): Promise<Written> {
    const { name, peer_vpc_id, peer_owner_id, peer_vpc_cidr: peer_cidr, peer_region, remarks = null } = dto;
    return this.connections.create(actor, {
      ...{ kind: KIND, name, remarks, peerCidr: peer_cidr },
      spec: ({ region }) => ({ peer_vpc_id, peer_owner_id, peer_region: peer_region ?? region, peer_cidr }),
    });
  }

  async list(actor: ActingCaller): Promise<VpcPeeringView[]> {
    const { deployment, found } = await this.connections.list(actor, KIND);
    return found.map((peering) => toView(peering, deployment));
  }

  /** @throws DomainError peering_not_found */
  async instructions(actor: ActingCaller, id: PrivateConnectionId): Promise<InstructionsView> {
    const { deployment, found } = await this.connections.find(actor, KIND, id);
    return vpcPeeringInstructions(toView(found, deployment), deployment.url);
  }

  /** @throws DomainError those of `PrivateConnections.delete` */
  delete(actor: ActingCaller, id: PrivateConnectionId): Promise<Written> {
    return this.connections.delete(actor, KIND, id);
  }
}

function toView(row: PrivateConnection, { facts, cidr, networkId }: NetworkedDeployment): VpcPeeringView {
  const attributes = row.attributes as ResourceAttributes['vpc_peering'] | null;
  const spec = row.spec as Record<'peer_vpc_id' | 'peer_owner_id' | 'peer_region' | 'peer_cidr', string>;
  return {
    id: row.id,
    name: row.name,
    peering_connection_id: attributes?.connection_id ?? null,
    requester_vpc_id: attributes?.requester.vpc_id ?? networkId,
    requester_cidr: cidr,
    accepter_vpc_id: spec.peer_vpc_id,
    accepter_cidr: spec.peer_cidr,
    requester_region: facts.region,
    accepter_region: spec.peer_region,
    requester_owner_id: attributes?.requester.owner_id ?? null,
    accepter_owner_id: spec.peer_owner_id,
    status: row.status as VpcPeeringStatus,
    status_reason: row.reason,
    remarks: row.remarks,
    created_at: row.createdAt.toISOString(),
  };
}
