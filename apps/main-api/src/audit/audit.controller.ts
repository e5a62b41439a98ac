import { Get, Query, Res } from '@nestjs/common';
import { ApiProduces } from '@nestjs/swagger';
import {
  Actor,
  Lists,
  Reads,
  Recheck,
  Routes,
  WithinPlan,
  withoutTenant,
  type ActingCaller,
  type Page,
  type StillAllowed,
} from '@libs/http';
import type { Response } from 'express';
import { AuditExport } from './audit-export.js';
import { AuditVerifier } from './audit-verifier.js';
import { AuditService } from './audit.service.js';
import { AuditEntryView } from './dto/audit-entry.view.js';
import { AuditVerificationView } from './dto/audit-verification.view.js';
import { AuditExportQuery, AuditQuery } from './dto/audit.query.js';
import { VerificationQuery } from './dto/verification.query.js';
import { sendDownload } from './send-download.js';

const NDJSON = 'application/x-ndjson';

@Routes('audit', 'Audit')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly exports: AuditExport,
    private readonly verifier: AuditVerifier,
  ) {}

  /** Lists the types of audit entries. */
  @Get('types')
  @Reads(withoutTenant('audit:read'), [String])
  types(): string[] {
    return this.audit.types();
  }

  /** Lists the events of the tenant, newest first. A key of a division sees the events of that division. */
  @Get('tenants/:tenant_id')
  @Lists('audit:read', AuditEntryView)
  @WithinPlan('audit_retention_days')
  list(@Actor() actor: ActingCaller, @Query() query: AuditQuery): Promise<Page<AuditEntryView>> {
    return this.audit.list(actor, query);
  }

  /**
   * Streams the entries that the filters find, oldest first, one JSON document a line. An export that is cut short has no
   * proper end: the connection breaks.
   */
  @Get('tenants/:tenant_id/export')
  @Reads('audit:read', AuditEntryView)
  @ApiProduces(NDJSON)
  @WithinPlan('audit_export_enabled', 'audit_retention_days')
  async export(
    @Actor() actor: ActingCaller,
    @Query() query: AuditExportQuery,
    @Recheck() stillAllowed: StillAllowed,
    @Res() response: Response,
  ): Promise<void> {
    const lines = await this.exports.open(actor, query, stillAllowed);
    const file = { type: NDJSON, name: `audit-${actor.tenantId}.ndjson`, stopping: this.exports.stopping };
    await sendDownload(response, file, lines);
  }

  /** Verifies that no entry was changed, deleted or inserted after it was sealed. */
  @Get('tenants/:tenant_id/verify')
  @Reads('audit:read', AuditVerificationView)
  verify(@Actor() actor: ActingCaller, @Query() kept: VerificationQuery): Promise<AuditVerificationView> {
    return this.verifier.verify(actor, kept);
  }
}
