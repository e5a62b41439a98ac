import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { LimitsController } from './limits.controller.js';
import { LimitsService } from './limits.service.js';
import { PeopleUsage } from './people-usage.js';
import { ResourceUsage } from './resource-usage.js';

@Module({
  imports: [TenantsModule],
  controllers: [LimitsController],
  providers: [LimitsService, PeopleUsage, ResourceUsage],
})
export class LimitsModule {}
