import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, OfDeployment, RequirePermission, Returns, type ActingCaller } from '@libs/http';
import { DeploymentsService } from './deployments.service.js';
import { CredentialsView, DeploymentRuntimeView } from './dto/deployment-runtime.view.js';

@ApiTags('Deployments')
@Controller('deployments/:deployment_id')
export class DeploymentsController {
  constructor(private readonly deployments: DeploymentsService) {}

  /** Reads the live state of a deployment: status, network, configurations, nodes. */
  @Get()
  @RequirePermission('deployment:read')
  @OfDeployment()
  @Returns(DeploymentRuntimeView)
  get(@Actor() actor: ActingCaller): Promise<DeploymentRuntimeView> {
    return this.deployments.get(actor);
  }

  /** Reads what clients sign in to the broker with. */
  @Get('credentials')
  @RequirePermission('deployment:credentials:read')
  @OfDeployment()
  @Returns(CredentialsView)
  credentials(@Actor() actor: ActingCaller): Promise<CredentialsView> {
    return this.deployments.credentials(actor);
  }
}
