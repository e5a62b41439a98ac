import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  InTransaction,
  NoContent,
  OfDeployment,
  OfTheDeployment,
  PathId,
  RequirePermission,
  Returns,
  WithinPlan,
  type ActingCaller,
} from '@libs/http';
import { type Written } from '@libs/domain';
import { InstructionsView } from './dto/instructions.view.js';
import { CreateServiceAttachmentDto } from './dto/service-attachment.dto.js';
import { AttachmentConnectionView, ServiceAttachmentView } from './dto/service-attachment.view.js';
import { ServiceAttachmentsService } from './service-attachments.service.js';

@ApiTags('Networking')
@Controller('deployments/:deployment_id/network/gcp/psc')
export class ServiceAttachmentsController {
  constructor(private readonly attachments: ServiceAttachmentsService) {}

  /** Creates a service attachment for the deployment. Other projects connect to it by Private Service Connect. */
  @Post()
  @RequirePermission('deployment:network:manage')
  @Idempotent()
  @Audited('private_connection_created')
  @OfDeployment()
  @NoContent('attachment', 'operation')
  @WithinPlan('private_networking_enabled', 'private_endpoints_limit')
  @FailsWith('private_networking_not_supported', 'name_taken', 'state_conflict')
  create(@Actor() actor: ActingCaller, @Body() dto: CreateServiceAttachmentDto): Promise<Written> {
    return this.attachments.create(actor, dto);
  }

  /** Lists the service attachments of the deployment, newest first. */
  @Get()
  @RequirePermission('deployment:network:read')
  @OfDeployment()
  @Returns([ServiceAttachmentView])
  @FailsWith('private_networking_not_supported')
  list(@Actor() actor: ActingCaller): Promise<ServiceAttachmentView[]> {
    return this.attachments.list(actor);
  }

  /** Returns the steps with which a consumer connects, with every id that the consumer types. */
  @Get(':attachment_id/instructions')
  @RequirePermission('deployment:network:read')
  @OfTheDeployment('attachment', 'The service attachment.')
  @Returns(InstructionsView)
  @FailsWith('private_networking_not_supported')
  instructions(@Actor() actor: ActingCaller, @PathId('attachment_id') id: number): Promise<InstructionsView> {
    return this.attachments.instructions(actor, id);
  }

  /** Lists the connections of the attachment, newest first. */
  @Get(':attachment_id/connections')
  @RequirePermission('deployment:network:read')
  @OfTheDeployment('attachment', 'The service attachment.')
  @Returns([AttachmentConnectionView])
  @FailsWith('private_networking_not_supported')
  connections(@Actor() actor: ActingCaller, @PathId('attachment_id') id: number): Promise<AttachmentConnectionView[]> {
    return this.attachments.listConnections(actor, id);
  }

  /** Deletes the service attachment; endpoints of consumers stop working. */
  @Delete(':attachment_id')
  @RequirePermission('deployment:network:manage')
  @InTransaction()
  @Audited('private_connection_deleted')
  @OfTheDeployment('attachment', 'The service attachment.')
  @NoContent('operation')
  @FailsWith('private_networking_not_supported', 'state_conflict')
  delete(@Actor() actor: ActingCaller, @PathId('attachment_id') id: number): Promise<Written> {
    return this.attachments.delete(actor, id);
  }
}
