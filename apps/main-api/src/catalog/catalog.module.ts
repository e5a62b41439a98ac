import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { CellsRepository, DeploymentsRepository } from '@libs/persistence/organization';
import { TenantsModule } from '../tenants/index.js';
import { CatalogController } from './catalog.controller.js';
import { CatalogService } from './catalog.service.js';

@Module({
  imports: [TenantsModule, PersistenceModule.forFeature([CellsRepository, DeploymentsRepository])],
  controllers: [CatalogController],
  providers: [CatalogService],
})
export class CatalogModule {}
