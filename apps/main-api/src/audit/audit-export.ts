import { Injectable } from '@nestjs/common';
import { requireFeature } from '@libs/catalog';
import { DomainError } from '@libs/domain';
import { Shutdown, type ActingCaller, type StillAllowed } from '@libs/http';
import { Database, Notifications } from '@libs/persistence';
import { AuditEntriesRepository, type AuditCursor, type AuditFilter } from '@libs/persistence/ledger';
import { TenantEntitlements } from '../tenants/index.js';
import { toAuditFilter } from './audit-filter.js';
import type { AuditExportQuery } from './dto/audit.query.js';
import { toAuditEntryView } from './to-audit-entry-view.js';

/** An entry may hold all of a large request. */
const ENTRIES_AT_ONCE = 200;
const RECHECK_MS = 5_000;

/** The audit as one long text: read piece by piece, as fast as it is taken. */
@Injectable()
export class AuditExport {
  private readonly entries: AuditEntriesRepository;

  constructor(
    database: Database,
    private readonly entitlements: TenantEntitlements,
    private readonly notifications: Notifications,
    private readonly shutdown: Shutdown,
  ) {
    this.entries = new AuditEntriesRepository(database);
  }

  /** Aborts when the process stops: then an export breaks off, however slowly it is read. */
  get stopping(): AbortSignal {
    return this.shutdown.signal;
  }

  /**
   * One JSON document a line, oldest first, some lines at a time. What fails on the way fails the iteration.
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
    // A key was deleted or a role changed: whose, the guard finds out.
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
