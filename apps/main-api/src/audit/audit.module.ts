import { Module } from '@nestjs/common';
import { PersistenceModule } from '@libs/persistence';
import { AuditEntriesRepository, AuditSealsRepository } from '@libs/persistence/ledger';
import { TenantsModule } from '../tenants/index.js';
import { AuditExport } from './audit-export.js';
import { AuditVerifier } from './audit-verifier.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [TenantsModule, PersistenceModule.forFeature([AuditEntriesRepository, AuditSealsRepository])],
  controllers: [AuditController],
  providers: [AuditService, AuditExport, AuditVerifier],
})
export class AuditModule {}
