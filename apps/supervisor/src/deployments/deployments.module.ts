import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import {
  AccessRulesRepository,
  ConfigsRepository,
  ConfigVersionsRepository,
  CredentialsRepository,
  NodesRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import { CredentialRotation } from './credential-rotation.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentsService } from './deployments.service.js';

@Module({
  imports: [
    PersistenceModule.forFeature([
      AccessRulesRepository,
      ConfigsRepository,
      ConfigVersionsRepository,
      CredentialsRepository,
      NodesRepository,
      RuntimesRepository,
    ]),
  ],
  controllers: [DeploymentsController],
  providers: [DeploymentsService, CredentialRotation],
})
export class DeploymentsModule {}
