import { Module } from '@nestjs/common';
import { MembersModule } from '../members/index.js';
import { ProtectionCodesModule } from '../protection-codes/index.js';
import { TenantsModule } from '../tenants/index.js';
import { OwnershipAnnouncements } from './ownership-announcements.js';
import { OwnershipOffers } from './ownership-offers.js';
import { OwnershipTransfersController } from './ownership-transfers.controller.js';
import { OwnershipTransfers } from './ownership-transfers.js';
import { TenantOwnerController } from './tenant-owner.controller.js';

@Module({
  imports: [TenantsModule, MembersModule, ProtectionCodesModule],
  controllers: [TenantOwnerController, OwnershipTransfersController],
  providers: [OwnershipOffers, OwnershipTransfers, OwnershipAnnouncements],
})
export class OwnershipModule {}
