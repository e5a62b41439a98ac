import { Body, Get, Post } from '@nestjs/common';
import { Accepts, Actor, FailsWith, Reads, Routes, Writes, type ActingCaller } from '@libs/http';
import { type Written } from '@libs/domain';
import { AcceptedOperationView } from '../platform/index.js';
import { CredentialRotation } from './credential-rotation.js';
import { DeploymentsService } from './deployments.service.js';
import { CredentialsView, DeploymentRuntimeView } from './dto/deployment-runtime.view.js';
import { RotateCredentialsDto } from './dto/rotate-credentials.dto.js';

@Routes('deployments/:deployment_id', 'Deployments')
export class DeploymentsController {
  constructor(
    private readonly deployments: DeploymentsService,
    private readonly rotation: CredentialRotation,
  ) {}

  /** Reads the live state of a deployment: status, network, configurations, nodes. */
  @Get()
  @Reads('deployment:read', DeploymentRuntimeView)
  get(@Actor() actor: ActingCaller): Promise<DeploymentRuntimeView> {
    return this.deployments.get(actor);
  }

  /** Reads the credentials of the broker's clients. */
  @Get('credentials')
  @Reads('deployment:credentials:read', CredentialsView)
  credentials(@Actor() actor: ActingCaller): Promise<CredentialsView> {
    return this.deployments.credentials(actor);
  }

  /**
   * Replaces the client password, one node at a time. This API shows the old credentials until the operation has
   * succeeded. From then on, both passwords work for `overlap_seconds`. Then each node disconnects the clients with the
   * old password. With 0, each node disconnects its clients when it takes the new password.
   */
  @Post('credentials/rotate')
  @Writes('deployment:manage', 'deployment_secrets_rotated')
  @Accepts(AcceptedOperationView, 'deployment')
  @FailsWith('state_conflict')
  rotateCredentials(
    @Actor() actor: ActingCaller,
    @Body() dto: RotateCredentialsDto,
  ): Promise<Written<AcceptedOperationView>> {
    return this.rotation.request(actor, dto);
  }
}
