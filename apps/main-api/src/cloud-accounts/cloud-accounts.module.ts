import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { CloudAccountsController } from './cloud-accounts.controller.js';
import { CloudAccountsService } from './cloud-accounts.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [CloudAccountsController],
  providers: [CloudAccountsService],
})
export class CloudAccountsModule {}
