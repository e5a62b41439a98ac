import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { CloudAccountsRepository } from '@libs/persistence/organization';
import { TenantsModule } from '../tenants/index.js';
import { CloudAccountsController } from './cloud-accounts.controller.js';
import { CloudAccountsService } from './cloud-accounts.service.js';

@Module({
  imports: [TenantsModule, PersistenceModule.forFeature([CloudAccountsRepository])],
  controllers: [CloudAccountsController],
  providers: [CloudAccountsService],
})
export class CloudAccountsModule {}
