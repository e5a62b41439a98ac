import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Accepts,
  Actor,
  Audited,
  FailsWith,
  Idempotent,
  OfDeployment,
  RequirePermission,
  Returns,
  type ActingCaller,
} from '@libs/http';
import { type Written } from '@libs/domain';
import { AcceptedOperationView } from '../platform/index.js';
import { CredentialRotation } from './credential-rotation.js';
import { DeploymentsService } from './deployments.service.js';
import { CredentialsView, DeploymentRuntimeView } from './dto/deployment-runtime.view.js';
import { RotateCredentialsDto } from './dto/rotate-credentials.dto.js';

@ApiTags('Deployments')
@Controller('deployments/:deployment_id')
export class DeploymentsController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly rotation: CredentialRotation,
  ) {}

  /** Reads the live state of a deployment: status, network, configurations, nodes. */
  @Get()
  @RequirePermission('deployment:read')
  @OfDeployment()
  @Returns(DeploymentRuntimeView)
  get(@Actor() actor: ActingCaller): Promise<DeploymentRuntimeView> {
    return this.deployments.get(actor);
  }

  /** Reads the credentials of the broker's clients. */
  @Get('credentials')
  @RequirePermission('deployment:credentials:read')
  @OfDeployment()
  @Returns(CredentialsView)
  credentials(@Actor() actor: ActingCaller): Promise<CredentialsView> {
    return this.deployments.credentials(actor);
  }

  /**
   * Replaces the client password, one node at a time. This API shows the old credentials until the operation has
   * succeeded. From then on, both passwords work for `overlap_seconds`. Then each node disconnects the clients with the
   * old password. With 0, each node disconnects its clients when it takes the new password.
   */
  @Post('credentials/rotate')
  @RequirePermission('deployment:manage')
  @Idempotent()
  @Audited('deployment_secrets_rotated')
  @OfDeployment()
  @Accepts(AcceptedOperationView, 'deployment')
  @FailsWith('state_conflict')
  rotateCredentials(
    @Actor() actor: ActingCaller,
    @Body() dto: RotateCredentialsDto,
  ): Promise<Written<AcceptedOperationView>> {
    return this.rotation.request(actor, dto);
  }
}
