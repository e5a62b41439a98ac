import { type DynamicModule, Module } from '@nestjs/common';
import { OperationsModule } from '@libs/operations';
import { ApiKeysModule } from './api-keys/index.js';
import { CatalogModule } from './catalog/index.js';
import type { MainApiConfig } from './config.js';
import { DeploymentsModule } from './deployments/index.js';
import { DivisionsModule } from './divisions/index.js';
import { DocsModule } from './docs/index.js';
import { EnvironmentsModule } from './environments/index.js';
import { HousekeepingModule } from './housekeeping/index.js';
import { PlatformModule } from './platform/index.js';
import { TenantsModule } from './tenants/index.js';

/** The main API: the organization, and the lifecycle of its deployments. Its role decides what this process has. */
@Module({})
export class MainApiModule {
  static forRoot(config: MainApiConfig): DynamicModule {
    return {
      module: MainApiModule,
      imports: [
        PlatformModule.forRoot(config),
        ...(config.LANDLORD_ROLE === 'worker' ? [] : ROOMS),
        ...(config.LANDLORD_ROLE === 'api' ? [] : [HousekeepingModule]),
      ],
    };
  }
}

const ROOMS = [
  TenantsModule,
  DivisionsModule,
  EnvironmentsModule,
  CatalogModule,
  DeploymentsModule,
  OperationsModule,
  ApiKeysModule,
  DocsModule,
];
