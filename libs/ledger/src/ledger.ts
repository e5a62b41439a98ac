import { Injectable } from '@nestjs/common';
import type { AuditType, EventType, Plan } from '@libs/domain';
import { Database } from '@libs/persistence';
import { LedgerRepository, type MeteringRow, type Named, type OutboxRow } from '@libs/persistence/ledger';

/** Who did it: the user behind a key, or nobody for what the system does by itself. */
export interface Author {
  user: Named | null;
  apiKey: Named | null;
}

/** Where it happened. */
export interface LedgerPlace {
  tenantId: number;
  division: Named | null;
  environment: Named | null;
  deployment: Named | null;
}

/** An event for the notification channels; `key` makes it exactly one. */
export interface LedgerEvent {
  type: EventType;
  key: string;
  /** One line, for people. */
  subject: string;
  data: object;
}

/** An event that nobody's request has caused. */
export interface FoundEvent {
  event: LedgerEvent;
  place: LedgerPlace;
  /** 32 hex characters. */
  traceId: string;
}

/** One happening, for the audit and, with an event, for the notification channels. */
export interface LedgerRecord {
  audit: AuditType;
  event?: LedgerEvent;
  author: Author;
  place: LedgerPlace;
  /** The user acted on. */
  user?: Named;
  /** The shape that the contract gives for the type. */
  data: object | null;
  /** 32 hex characters. */
  traceId: string;
}

/** How many days audit entries are kept, by plan; a tenant's own override comes before it. */
export abstract class AuditRetention {
  abstract readonly daysByPlan: Record<Plan, number>;
}

/**
 * Writes audit entries, events and metering in the transaction of what they tell of: they exist exactly when it does.
 */
@Injectable()
export class Ledger {
  private readonly rows: LedgerRepository;

  constructor(
    private readonly database: Database,
    private readonly retention: AuditRetention,
  ) {
    this.rows = new LedgerRepository(database);
  }

  async record(record: LedgerRecord): Promise<void> {
    const { author, place } = record;
    const entry = {
      tenant_id: place.tenantId,
      type: record.audit,
      author: author.user,
      api_key: author.apiKey,
      user: record.user ?? null,
      division: place.division,
      environment: place.environment,
      deployment: place.deployment,
      data: record.data,
      correlation_id: record.traceId,
    };
    const event = record.event ? toOutbox(record.event, place, record.traceId) : null;
    await this.rows.record(entry, event, this.retention.daysByPlan);
    this.database.note(record.audit);
  }

  /** From now on the deployment is charged for this shape; a null shape ends it. */
  async meter(row: MeteringRow): Promise<void> {
    await this.rows.insertMetering(row);
  }

  /** Tells the notification channels, without an audit entry: for what the system did on an audited request. */
  async announce(event: LedgerEvent, place: LedgerPlace, traceId: string): Promise<void> {
    await this.rows.insertOutbox(toOutbox(event, place, traceId));
  }

  /**
   * Tells of what was found by looking, and may have been found and told before: an event whose key is known is left out,
   * and nobody is woken for it. In one statement; answers how many were new.
   */
  async announceOnce(events: readonly FoundEvent[]): Promise<number> {
    return this.rows.insertOutboxOnce(events.map(({ event, place, traceId }) => toOutbox(event, place, traceId)));
  }
}

const toOutbox = (event: LedgerEvent, place: LedgerPlace, traceId: string): OutboxRow => ({
  event_key: event.key,
  type: event.type,
  tenant_id: place.tenantId,
  division: place.division,
  environment: place.environment,
  deployment: place.deployment,
  subject: event.subject,
  data: event.data,
  trace_id: traceId,
});
