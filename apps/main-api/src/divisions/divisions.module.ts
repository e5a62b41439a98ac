import { Module } from '@nestjs/common';
import { ProtectionCodesModule } from '../protection-codes/index.js';
import { TenantsModule } from '../tenants/index.js';
import { DivisionsController } from './divisions.controller.js';
import { DivisionsService } from './divisions.service.js';

@Module({
  imports: [TenantsModule, ProtectionCodesModule],
  controllers: [DivisionsController],
  providers: [DivisionsService],
})
export class DivisionsModule {}
