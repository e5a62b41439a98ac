import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { CatalogController } from './catalog.controller.js';
import { CatalogService } from './catalog.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [CatalogController],
  providers: [CatalogService],
})
export class CatalogModule {}
