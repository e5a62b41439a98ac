import { Injectable } from '@nestjs/common';
import type { ResourceAttributes } from '@libs/cloud';
import type { ActingCaller } from '@libs/http';
import type { PrivateConnection } from '@libs/persistence/runtime';
import { type Written, type PrivateConnectionId } from '@libs/domain';
import type { CreateEndpointServiceDto } from './dto/endpoint-service.dto.js';
import type { EndpointServiceState, EndpointServiceView } from './dto/endpoint-service.view.js';
import { PrivateConnections } from './private-connections.js';

const KIND = 'endpoint_service';

/** Endpoint services on AWS. */
@Injectable()
export class EndpointServicesService {
  constructor(private readonly connections: PrivateConnections) {}

  /** @throws DomainError those of `PrivateConnections.create` */
  create(actor: ActingCaller, dto: CreateEndpointServiceDto): Promise<Written> {
    const { name, acceptance_required = true, allowed_principals = [], remarks = null } = dto;
    const spec = () => ({ acceptance_required, allowed_principals });
    return this.connections.create(actor, { kind: KIND, name, remarks, spec });
  }

  async list(actor: ActingCaller): Promise<EndpointServiceView[]> {
    return (await this.connections.list(actor, KIND)).found.map(toView);
  }

  /** @throws DomainError those of `PrivateConnections.delete` */
  delete(actor: ActingCaller, id: PrivateConnectionId): Promise<Written> {
    return this.connections.delete(actor, KIND, id);
  }
}

function toView(row: PrivateConnection): EndpointServiceView {
  const attributes = row.attributes as ResourceAttributes['endpoint_service'] | null;
  const spec = row.spec as { acceptance_required: boolean; allowed_principals: string[] };
  return {
    id: row.id,
    name: row.name,
    vpc_endpoint_service_id: attributes?.service_id ?? null,
    service_name: attributes?.service_name ?? null,
    acceptance_required: spec.acceptance_required,
    allowed_principals: spec.allowed_principals,
    state: row.status as EndpointServiceState,
    state_reason: row.reason,
    remarks: row.remarks,
    created_at: row.createdAt.toISOString(),
  };
}
