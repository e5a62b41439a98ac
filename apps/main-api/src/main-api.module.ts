import { type DynamicModule, Module } from '@nestjs/common';
import { OperationsModule } from '@libs/operations';
import { AccountModule } from './account/index.js';
import { ApiKeysModule, ApiKeysWorkModule } from './api-keys/index.js';
import { AuditModule } from './audit/index.js';
import { BillingModule, BillingWorkModule } from './billing/index.js';
import { CatalogModule } from './catalog/index.js';
import { ChannelsModule, ChannelsWorkModule } from './channels/index.js';
import { CloudAccountsModule } from './cloud-accounts/index.js';
import type { MainApiConfig } from './config.js';
import { ConnectorsModule } from './connectors/index.js';
import { ConsoleModule } from './console/index.js';
import { DeploymentsModule, DeploymentsWorkModule } from './deployments/index.js';
import { DivisionsModule } from './divisions/index.js';
import { DocsModule } from './docs/index.js';
import { EnvironmentsModule } from './environments/index.js';
import { CleanupModule } from './cleanup/index.js';
import { InvitationsModule } from './invitations/index.js';
import { JoinRequestsModule } from './join-requests/index.js';
import { MailModule } from './mail/index.js';
import { LimitsModule } from './limits/index.js';
import { LoginCodesModule } from './login-codes/index.js';
import { MembersModule } from './members/index.js';
import { OwnershipModule } from './ownership/index.js';
import { PagesModule } from './pages/index.js';
import { PermissionsModule } from './permissions/index.js';
import { PlatformModule, SchedulesModule } from './platform/index.js';
import { RolesModule } from './roles/index.js';
import { ProtectionCodesModule } from './protection-codes/index.js';
import { SupervisorTokensModule } from './supervisor-tokens/index.js';
import { TenantsModule } from './tenants/index.js';

/**
 * The main API: organizations, and the lifecycle of their deployments. The role of the process decides which modules it
 * has.
 */
@Module({})
export class MainApiModule {
  static forRoot(config: MainApiConfig): DynamicModule {
    return {
      module: MainApiModule,
      imports: [
        PlatformModule.forRoot(config),
        MailModule.forRoot(config),
        ...(config.LANDLORD_ROLE === 'worker' ? [] : MODULES),
        ...(config.LANDLORD_ROLE === 'api' ? [] : WORK),
      ],
    };
  }
}

const MODULES = [
  AccountModule,
  TenantsModule,
  ProtectionCodesModule,
  DivisionsModule,
  EnvironmentsModule,
  CatalogModule,
  DeploymentsModule,
  ConnectorsModule,
  OperationsModule,
  CloudAccountsModule,
  BillingModule,
  ChannelsModule,
  ApiKeysModule,
  LoginCodesModule,
  RolesModule,
  LimitsModule,
  MembersModule,
  OwnershipModule,
  InvitationsModule,
  JoinRequestsModule,
  PermissionsModule,
  SupervisorTokensModule,
  PagesModule,
  ConsoleModule,
  AuditModule,
  DocsModule,
];

const WORK = [
  SchedulesModule,
  CleanupModule,
  ApiKeysWorkModule,
  BillingWorkModule,
  DeploymentsWorkModule,
  ChannelsWorkModule,
];
