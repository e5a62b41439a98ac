import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/index.js';
import { AuditExport } from './audit-export.js';
import { AuditVerifier } from './audit-verifier.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

@Module({
  imports: [TenantsModule],
  controllers: [AuditController],
  providers: [AuditService, AuditExport, AuditVerifier],
})
export class AuditModule {}
