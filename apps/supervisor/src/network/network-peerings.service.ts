import { Injectable } from '@nestjs/common';
import type { ResourceAttributes } from '@libs/cloud';
import type { ActingCaller } from '@libs/http';
import type { PrivateConnection } from '@libs/persistence/runtime';
import { type Written, type PrivateConnectionId } from '@libs/domain';
import type { InstructionsView } from './dto/instructions.view.js';
import type { CreateNetworkPeeringDto } from './dto/network-peering.dto.js';
import type { NetworkPeeringState, NetworkPeeringView } from './dto/network-peering.view.js';
import { networkPeeringInstructions } from './instructions/network-peering-instructions.js';
import { PrivateConnections } from './private-connections.js';

const KIND = 'network_peering';

/** VPC peerings on Google Cloud. */
@Injectable()
export class NetworkPeeringsService {
  constructor(private readonly connections: PrivateConnections) {}

  /** @throws DomainError those of `PrivateConnections.create` */
  create(actor: ActingCaller, dto: CreateNetworkPeeringDto): Promise<Written> {
    const { name, peer_vpc_name: peer_network, peer_project_id, peer_vpc_cidr: peer_cidr, remarks = null } = dto;
    const spec = () => ({ peer_network, peer_project_id, peer_cidr });
    return this.connections.create(actor, { kind: KIND, name, remarks, spec, peerCidr: peer_cidr });
  }

  async list(actor: ActingCaller): Promise<NetworkPeeringView[]> {
    return (await this.connections.list(actor, KIND)).found.map(toView);
  }

  /** @throws DomainError peering_not_found */
  async instructions(actor: ActingCaller, id: PrivateConnectionId): Promise<InstructionsView> {
    const { deployment, found: peering } = await this.connections.find(actor, KIND, id);
    const { url: deploymentUrl, cidr } = deployment;
    const attributes = attributesOf(peering);
    const ours = { projectId: attributes?.project_id ?? null, network: attributes?.network ?? null, cidr };
    return networkPeeringInstructions(toView(peering), { deploymentUrl, ...ours });
  }

  /** @throws DomainError those of `PrivateConnections.delete` */
  delete(actor: ActingCaller, id: PrivateConnectionId): Promise<Written> {
    return this.connections.delete(actor, KIND, id);
  }
}

const attributesOf = (row: PrivateConnection) => row.attributes as ResourceAttributes['network_peering'] | null;

function toView(row: PrivateConnection): NetworkPeeringView {
  const spec = row.spec as Record<'peer_network' | 'peer_project_id' | 'peer_cidr', string>;
  return {
    id: row.id,
    name: row.name,
    peer_vpc_name: spec.peer_network,
    peer_project_id: spec.peer_project_id,
    peer_vpc_cidr: spec.peer_cidr,
    state: row.status as NetworkPeeringState,
    state_details: row.reason ?? attributesOf(row)?.details ?? null,
    remarks: row.remarks,
    created_at: row.createdAt.toISOString(),
  };
}
