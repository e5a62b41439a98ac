import { Injectable } from '@nestjs/common';
import { AUDIT_TYPES } from '@libs/domain';
import { Page, type ActingCaller } from '@libs/http';
import { AuditEntriesRepository } from '@libs/persistence/ledger';
import { TenantEntitlements } from '../tenants/index.js';
import { toAuditFilter } from './audit-filter.js';
import type { AuditEntryView } from './dto/audit-entry.view.js';
import type { AuditQuery } from './dto/audit.query.js';
import { toAuditEntryView } from './to-audit-entry-view.js';

/** The audit for its readers: the entries of their scope, within the retention. */
@Injectable()
export class AuditService {
  constructor(
    private readonly entries: AuditEntriesRepository,
    private readonly entitlements: TenantEntitlements,
  ) {}

  types(): string[] {
    return Object.keys(AUDIT_TYPES).sort();
  }

  async list(actor: ActingCaller, query: AuditQuery): Promise<Page<AuditEntryView>> {
    const entitlements = await this.entitlements.of(actor.tenantId);
    const filter = toAuditFilter(actor, query, entitlements.limit('audit_retention_days'));
    return Page.of(await this.entries.page(filter, query), toAuditEntryView, query);
  }
}
