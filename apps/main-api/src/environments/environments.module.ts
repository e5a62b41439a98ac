import { Module } from '@nestjs/common';
import { ProtectionCodesModule } from '../protection-codes/index.js';
import { TenantsModule } from '../tenants/index.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsService } from './environments.service.js';

@Module({
  imports: [TenantsModule, ProtectionCodesModule],
  controllers: [EnvironmentsController],
  providers: [EnvironmentsService],
  exports: [EnvironmentsService],
})
export class EnvironmentsModule {}
