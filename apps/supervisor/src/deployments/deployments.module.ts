import { Module } from '@nestjs/common';
import { CredentialRotation } from './credential-rotation.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentsService } from './deployments.service.js';

@Module({
  controllers: [DeploymentsController],
  providers: [DeploymentsService, CredentialRotation],
})
export class DeploymentsModule {}
