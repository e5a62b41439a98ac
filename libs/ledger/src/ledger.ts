import { Injectable } from '@nestjs/common';
import type {
  AuditType,
  EventType,
  Plan,
  TenantId,
  ApiKeyId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  UserId,
} from '@libs/domain';
import { Database } from '@libs/persistence';
import {
  LedgerRepository,
  type AuditRow,
  type MeteringRow,
  type Named,
  type OutboxRow,
} from '@libs/persistence/ledger';

/** The author of a change: the user and the key. Both null for changes of the system. */
export interface Author {
  user: Named<UserId> | null;
  apiKey: Named<ApiKeyId> | null;
}

/** The place of a change. */
export interface LedgerContext {
  tenantId: TenantId;
  division: Named<DivisionId> | null;
  environment: Named<EnvironmentId> | null;
  deployment: Named<DeploymentId> | null;
}

/** An event for the notification channels. `key` makes it unique. */
export interface LedgerEvent {
  type: EventType;
  key: string;
  /** One line of text for people. */
  subject: string;
  data: object;
}

/** An event without a request behind it. */
export interface FoundEvent {
  event: LedgerEvent;
  context: LedgerContext;
  /** 32 hex characters. */
  traceId: string;
}

/** One change, for the audit and, with an event, for the notification channels. */
export interface LedgerRecord {
  audit: AuditType;
  event?: LedgerEvent;
  author: Author;
  context: LedgerContext;
  /** The affected user. */
  user?: Named<UserId>;
  /** In the format of the contract for this type. */
  data: object | null;
  /** 32 hex characters. */
  traceId: string;
}

/** Retention of audit entries in days, by plan. A tenant's override has precedence. */
export abstract class AuditRetention {
  abstract readonly daysByPlan: Record<Plan, number>;
}

/** Writes audit entries, events and metering in the transaction of their change, so that neither exists without the other. */
@Injectable()
export class Ledger {
  constructor(
    private readonly database: Database,
    private readonly rows: LedgerRepository,
    private readonly retention: AuditRetention,
  ) {}

  async record(record: LedgerRecord): Promise<void> {
    const event = record.event ? toOutbox(record.event, record.context, record.traceId) : null;
    await this.rows.record(toEntry(record), event, this.retention.daysByPlan);
    this.database.note(record.audit);
  }

  /** Records several changes of one tenant with one statement, each with its event. */
  async recordAll(records: readonly (LedgerRecord & { event: LedgerEvent })[]): Promise<void> {
    if (records.length === 0) return;
    const changes = records.map((record) => ({
      entry: toEntry(record),
      event: toOutbox(record.event, record.context, record.traceId),
    }));
    await this.rows.recordAll(changes, this.retention.daysByPlan);
    for (const { audit } of records) this.database.note(audit);
  }

  /** The deployment is charged for this shape from now on. A null shape ends the charge. */
  async meter(row: MeteringRow): Promise<void> {
    await this.rows.insertMetering(row);
  }

  /** Notifies the channels without an audit entry, for actions of the system after an audited request. */
  async announce(event: LedgerEvent, context: LedgerContext, traceId: string): Promise<void> {
    await this.rows.insertOutbox(toOutbox(event, context, traceId));
  }

  /**
   * Reports findings that may already be reported. Skips events with known keys, and wakes no process for them. One statement.
   * Returns the number of new events.
   */
  async announceOnce(events: readonly FoundEvent[]): Promise<number> {
    return this.rows.insertOutboxOnce(events.map(({ event, context, traceId }) => toOutbox(event, context, traceId)));
  }
}

const toEntry = ({ audit, author, context, user, data, traceId }: LedgerRecord): AuditRow => ({
  tenant_id: context.tenantId,
  type: audit,
  author: author.user,
  api_key: author.apiKey,
  user: user ?? null,
  division: context.division,
  environment: context.environment,
  deployment: context.deployment,
  data,
  correlation_id: traceId,
});

const toOutbox = (event: LedgerEvent, context: LedgerContext, traceId: string): OutboxRow => ({
  event_key: event.key,
  type: event.type,
  tenant_id: context.tenantId,
  division: context.division,
  environment: context.environment,
  deployment: context.deployment,
  subject: event.subject,
  data: event.data,
  trace_id: traceId,
});
