import { Injectable } from '@nestjs/common';
import type { ResourceAttributes } from '@libs/cloud';
import type { ActingCaller } from '@libs/http';
import type { PrivateConnection, PrivateConsumer } from '@libs/persistence/runtime';
import { type Written, type PrivateConnectionId } from '@libs/domain';
import type { InstructionsView } from './dto/instructions.view.js';
import type { ConnectionPreference, CreateServiceAttachmentDto } from './dto/service-attachment.dto.js';
import type {
  AttachmentConnectionView,
  AttachmentState,
  ServiceAttachmentView,
} from './dto/service-attachment.view.js';
import { serviceAttachmentInstructions } from './instructions/service-attachment-instructions.js';
import { PrivateConnections } from './private-connections.js';

const KIND = 'service_attachment';

/** Service attachments on Google Cloud. */
@Injectable()
export class ServiceAttachmentsService {
  constructor(private readonly connections: PrivateConnections) {}

  /** @throws DomainError those of `PrivateConnections.create` */
  create(actor: ActingCaller, dto: CreateServiceAttachmentDto): Promise<Written> {
    const spec = () => ({
      connection_preference: dto.connection_preference ?? 'accept_manual',
      consumer_accept_lists: dto.consumer_accept_lists ?? [],
      enable_proxy_protocol: dto.enable_proxy_protocol ?? false,
    });
    const usesProxyProtocol = dto.enable_proxy_protocol ?? false;
    return this.connections.create(actor, {
      ...{ kind: KIND, name: dto.name, remarks: dto.remarks ?? null, spec, usesProxyProtocol },
    });
  }

  async list(actor: ActingCaller): Promise<ServiceAttachmentView[]> {
    return (await this.connections.list(actor, KIND)).found.map(toView);
  }

  /** @throws DomainError attachment_not_found */
  async instructions(actor: ActingCaller, id: PrivateConnectionId): Promise<InstructionsView> {
    const { deployment, found } = await this.connections.find(actor, KIND, id);
    const { facts, cidr, url: deploymentUrl } = deployment;
    return serviceAttachmentInstructions(toView(found), { deploymentUrl, region: facts.region, cidr });
  }

  /** @throws DomainError attachment_not_found */
  async listConnections(actor: ActingCaller, id: PrivateConnectionId): Promise<AttachmentConnectionView[]> {
    const { found } = await this.connections.find(actor, KIND, id);
    return (await this.connections.consumers(found)).map(toConnectionView);
  }

  /** @throws DomainError those of `PrivateConnections.delete` */
  delete(actor: ActingCaller, id: PrivateConnectionId): Promise<Written> {
    return this.connections.delete(actor, KIND, id);
  }
}

function toView(row: PrivateConnection): ServiceAttachmentView {
  const attributes = row.attributes as ResourceAttributes['service_attachment'] | null;
  const spec = row.spec as {
    connection_preference: ConnectionPreference;
    consumer_accept_lists: string[];
    enable_proxy_protocol: boolean;
  };
  return {
    id: row.id,
    name: row.name,
    service_attachment_uri: attributes?.uri ?? null,
    ...spec,
    state: row.status as AttachmentState,
    state_reason: row.reason,
    remarks: row.remarks,
    created_at: row.createdAt.toISOString(),
  };
}

const toConnectionView = (consumer: PrivateConsumer): AttachmentConnectionView => ({
  id: consumer.id,
  connection_id: consumer.connectionId,
  consumer_project_id: consumer.owner,
  consumer_network: consumer.network,
  consumer_forwarding_rule: consumer.endpoint,
  status: consumer.status,
  created_at: consumer.createdAt.toISOString(),
});
