import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { AccountValidationsRepository } from '@libs/persistence/runtime';
import { TenantsRepository } from '@libs/persistence/organization';
import { ByocController } from './byoc.controller.js';
import { ByocService } from './byoc.service.js';

@Module({
  imports: [PersistenceModule.forFeature([AccountValidationsRepository, TenantsRepository])],
  controllers: [ByocController],
  providers: [ByocService],
})
export class ByocModule {}
