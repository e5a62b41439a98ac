import { Module } from '@nestjs/common';
import { RolesModule } from '../roles/index.js';
import { TenantsModule } from '../tenants/index.js';
import { ApiKeyIssuance } from './api-key-issuance.js';
import { ApiKeysController } from './api-keys.controller.js';
import { KeyOwners } from './key-owners.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({
  imports: [TenantsModule, RolesModule],
  controllers: [ApiKeysController],
  providers: [ApiKeysService, ApiKeyIssuance, KeyOwners],
  exports: [ApiKeyIssuance],
})
export class ApiKeysModule {}
