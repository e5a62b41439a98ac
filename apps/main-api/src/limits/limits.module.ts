import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { ChannelsRepository, SubscriptionsRepository } from '@libs/persistence/channels';
import {
  ApiKeysRepository,
  CloudAccountsRepository,
  DeploymentsRepository,
  DivisionsRepository,
  EnvironmentsRepository,
  InvitationsRepository,
  MembersRepository,
  RolesRepository,
} from '@libs/persistence/organization';
import { BackupsRepository, PrivateConnectionsRepository } from '@libs/persistence/runtime';
import { TenantsModule } from '../tenants/index.js';
import { LimitsController } from './limits.controller.js';
import { LimitsService } from './limits.service.js';
import { PeopleUsage } from './people-usage.js';
import { ResourceUsage } from './resource-usage.js';

@Module({
  imports: [
    TenantsModule,
    PersistenceModule.forFeature([
      ApiKeysRepository,
      BackupsRepository,
      ChannelsRepository,
      CloudAccountsRepository,
      DeploymentsRepository,
      DivisionsRepository,
      EnvironmentsRepository,
      InvitationsRepository,
      MembersRepository,
      PrivateConnectionsRepository,
      RolesRepository,
      SubscriptionsRepository,
    ]),
  ],
  controllers: [LimitsController],
  providers: [LimitsService, PeopleUsage, ResourceUsage],
})
export class LimitsModule {}
