import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { RolesRepository } from '@libs/persistence/organization';
import { PermissionsController } from './permissions.controller.js';
import { PermissionsService } from './permissions.service.js';

@Module({
  imports: [PersistenceModule.forFeature([RolesRepository])],
  controllers: [PermissionsController],
  providers: [PermissionsService],
})
export class PermissionsModule {}
