import { Injectable } from '@nestjs/common';
import { requireFeature } from '@libs/catalog';
import { DomainError } from '@libs/domain';
import { Shutdown, type ActingCaller, type StillAllowed } from '@libs/http';
import { Notifications } from '@libs/persistence';
import { AuditEntriesRepository, type AuditCursor, type AuditFilter } from '@libs/persistence/ledger';
import { TenantEntitlements } from '../tenants/index.js';
import { toAuditFilter } from './audit-filter.js';
import type { AuditExportQuery } from './dto/audit.query.js';
import { toAuditEntryView } from './to-audit-entry-view.js';

/** Small, because an entry may contain a whole large request. */
const ENTRIES_AT_ONCE = 200;
const RECHECK_MS = 5_000;

/** Exports the audit as a long text, read in pieces at the speed of the client. */
@Injectable()
export class AuditExport {
  constructor(
    private readonly entries: AuditEntriesRepository,
    private readonly entitlements: TenantEntitlements,
    private readonly notifications: Notifications,
    private readonly shutdown: Shutdown,
  ) {}

  /** Aborts when the process stops: then an export ends, also with a slow client. */
  get stopping(): AbortSignal {
    return this.shutdown.signal;
  }

  /**
   * Returns one JSON document per line, oldest first, some lines per piece. A later failure fails the iteration.
   * @throws DomainError plan_feature_required, internal_error when the process is about to stop
   */
  async open(actor: ActingCaller, query: AuditExportQuery, stillAllowed: StillAllowed): Promise<AsyncIterable<string>> {
    if (this.stopping.aborted) throw new DomainError('internal_error', 'This process is stopping. Repeat the request.');
    const entitlements = await this.entitlements.of(actor.tenantId);
    requireFeature(entitlements, 'audit_export_enabled');
    return this.lines(toAuditFilter(actor, query, entitlements.limit('audit_retention_days')), stillAllowed);
  }

  private async *lines(filter: AuditFilter, stillAllowed: StillAllowed): AsyncGenerator<string> {
    let checkAt = performance.now() + RECHECK_MS;
    // A key was deleted or a role changed. The guard finds out whether this caller is affected.
    const stopListening = this.notifications.on('landlord_access', () => (checkAt = 0));
    try {
      let cursor: AuditCursor | null = null;
      do {
        if (performance.now() >= checkAt) {
          checkAt = performance.now() + RECHECK_MS;
          await stillAllowed();
        }
        const chunk = await this.entries.next(filter, cursor, ENTRIES_AT_ONCE);
        yield chunk.entries.map((entry) => `${JSON.stringify(toAuditEntryView(entry))}\n`).join('');
        cursor = chunk.next;
      } while (cursor);
    } finally {
      stopListening();
    }
  }
}
