import { Body, Delete, Get, Post } from '@nestjs/common';
import { Actor, PathId, Routes, type ActingCaller } from '@libs/http';
import { type Written, type PrivateConnectionId } from '@libs/domain';
import { InstructionsView } from './dto/instructions.view.js';
import { CreateServiceAttachmentDto } from './dto/service-attachment.dto.js';
import { AttachmentConnectionView, ServiceAttachmentView } from './dto/service-attachment.view.js';
import { CreatesConnection, DeletesConnection, ReadsConnections } from './private-connection-routes.js';
import { ServiceAttachmentsService } from './service-attachments.service.js';

@Routes('deployments/:deployment_id/network/gcp/psc', 'Networking', { attachment_id: 'The service attachment.' })
export class ServiceAttachmentsController {
  constructor(private readonly attachments: ServiceAttachmentsService) {}

  /** Creates a service attachment for the deployment. Other projects connect to it by Private Service Connect. */
  @Post()
  @CreatesConnection('attachment', 'private_endpoints_limit')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateServiceAttachmentDto): Promise<Written> {
    return this.attachments.create(actor, dto);
  }

  /** Lists the service attachments of the deployment, newest first. */
  @Get()
  @ReadsConnections([ServiceAttachmentView])
  list(@Actor() actor: ActingCaller): Promise<ServiceAttachmentView[]> {
    return this.attachments.list(actor);
  }

  /** Returns the steps with which a consumer connects, with every id that the consumer types. */
  @Get(':attachment_id/instructions')
  @ReadsConnections(InstructionsView)
  instructions(@Actor() actor: ActingCaller, @PathId() id: PrivateConnectionId): Promise<InstructionsView> {
    return this.attachments.instructions(actor, id);
  }

  /** Lists the connections of the attachment, newest first. */
  @Get(':attachment_id/connections')
  @ReadsConnections([AttachmentConnectionView])
  connections(@Actor() actor: ActingCaller, @PathId() id: PrivateConnectionId): Promise<AttachmentConnectionView[]> {
    return this.attachments.listConnections(actor, id);
  }

  /** Deletes the service attachment; endpoints of consumers stop working. */
  @Delete(':attachment_id')
  @DeletesConnection()
  delete(@Actor() actor: ActingCaller, @PathId() id: PrivateConnectionId): Promise<Written> {
    return this.attachments.delete(actor, id);
  }
}
