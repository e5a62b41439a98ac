import { Injectable } from '@nestjs/common';
import {
  RETENTION_CLASSES,
  type DeploymentId,
  type TenantId,
  type ApiKeyId,
  type DivisionId,
  type EnvironmentId,
  type UserId,
} from '@libs/domain';
import { statement, Database } from '../database.js';

export interface Named<Id extends number> {
  id: Id;
  name: string;
}

/** An audit entry as the repository writes it. */
export interface AuditRow {
  tenant_id: TenantId;
  type: string;
  author: Named<UserId> | null;
  api_key: Named<ApiKeyId> | null;
  user: Named<UserId> | null;
  division: Named<DivisionId> | null;
  environment: Named<EnvironmentId> | null;
  deployment: Named<DeploymentId> | null;
  data: object | null;
  correlation_id: string | null;
}

/** An event for the notification channels. `event_key` makes it unique. */
export interface OutboxRow {
  event_key: string;
  type: string;
  tenant_id: TenantId;
  division: Named<DivisionId> | null;
  environment: Named<EnvironmentId> | null;
  deployment: Named<DeploymentId> | null;
  /** One line of text for people. */
  subject: string;
  data: object;
  trace_id: string;
}

/** From `effective_at` the deployment has this shape at this price. A null shape ends the metering. */
export interface MeteringRow {
  event_key: string;
  tenant_id: TenantId;
  deployment_id: DeploymentId;
  shape: object | null;
  monthly_compute_usd: string;
  monthly_storage_usd: string;
  pricing_version: string;
  /** Default: now. If the accounts of that month are closed, the start of the first open month is used. */
  effective_at?: Date;
}

const AUDIT_COLUMNS = `retention_class, tenant_id, type, author_id, author_name, api_key_id, api_key_name, user_id, user_name,
  division_id, division_name, environment_id, environment_name, deployment_id, deployment_name, data, correlation_id`;
const OUTBOX_COLUMNS = `event_key, type, tenant_id, division_id, division_name, environment_id, environment_name,
  deployment_id, deployment_name, subject, data, trace_id`;
const LEVELS = ['division', 'environment', 'deployment'];
// Notifies the dispatcher of events. PostgreSQL merges equal notifications of one transaction.
const NOTIFIED = `returning pg_notify('landlord_outbox', '')`;

// Writes the entry and the event in one round trip. Reads the retention from the tenant's row, so a change of plan applies at
// once.
const KEPT = `kept as (
     select coalesce((plan_overrides -> 'limits' ->> 'audit_retention_days')::int, ($1::jsonb ->> plan)::int) as days
       from tenants where id = $2
   )`;
const CLASS_OF_DAYS = `case ${RETENTION_CLASSES.map((days) => `when days <= ${days} then ${days}`).join(' ')} else ${RETENTION_CLASSES.at(-1)} end`;
const RECORD = statement(
  'ledger.record',
  `with ${KEPT}, entry as (
     insert into audit_entries (${AUDIT_COLUMNS})
     select ${CLASS_OF_DAYS}, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::jsonb, $17::uuid
       from kept
   )
   insert into outbox (${OUTBOX_COLUMNS})
   select $18, $19, $2, $10, $11, $12, $13, $14, $15, $20, $21::jsonb, $22 where $18::text is not null ${NOTIFIED}`,
);
const idsOf = (row: string, ...members: string[]): string =>
  members.map((member) => `(${row}.${member} ->> 'id')::bigint, ${row}.${member} ->> 'name'`).join(', ');
const RECORD_ALL = statement(
  'ledger.record_all',
  `with ${KEPT}, entry as (
     insert into audit_entries (${AUDIT_COLUMNS})
     select ${CLASS_OF_DAYS}, $2, e.type, ${idsOf('e', 'author', 'api_key', '"user"', ...LEVELS)}, e.data, e.correlation_id
       from kept, jsonb_to_recordset($3::jsonb) as e(type text, author jsonb, api_key jsonb, "user" jsonb, division jsonb,
              environment jsonb, deployment jsonb, data jsonb, correlation_id uuid)
   )
   insert into outbox (${OUTBOX_COLUMNS})
   select event_key, type, tenant_id, ${idsOf('e', ...LEVELS)}, subject, data, trace_id
     from jsonb_to_recordset($4::jsonb) as e(event_key text, type text, tenant_id bigint, division jsonb, environment jsonb,
            deployment jsonb, subject text, data jsonb, trace_id text) ${NOTIFIED}`,
);
const INSERT_OUTBOX = statement(
  'ledger.outbox',
  `insert into outbox (${OUTBOX_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12) ${NOTIFIED}`,
);
// RETURNING covers only new rows, so a known event wakes no process.
const INSERT_OUTBOX_ONCE = statement(
  'ledger.outbox_once',
  `insert into outbox (${OUTBOX_COLUMNS})
   select event_key, type, tenant_id, ${LEVELS.map((level) => `(${level} ->> 'id')::bigint, ${level} ->> 'name'`).join(', ')},
          subject, data, trace_id
     from jsonb_to_recordset($1::jsonb) as e(event_key text, type text, tenant_id bigint, division jsonb, environment jsonb,
            deployment jsonb, subject text, data jsonb, trace_id text)
   on conflict (event_key) do nothing ${NOTIFIED}`,
);
const INSERT_METERING = statement(
  'ledger.metering',
  `insert into metering_intervals (event_key, tenant_id, deployment_id, shape, monthly_compute_usd, monthly_storage_usd,
     pricing_version, effective_at)
   values ($1, $2, $3, $4::jsonb, $5, $6, $7, coalesce($8, now())) on conflict (event_key) do nothing`,
);
const split = (named: Named<number> | null): [number | null, string | null] => [named?.id ?? null, named?.name ?? null];

/** The append-only tables. */
@Injectable()
export class LedgerRepository {
  constructor(private readonly database: Database) {}

  /** Writes an entry with the retention of the tenant's plan (`daysByPlan`), and its event. */
  async record(row: AuditRow, event: OutboxRow | null, daysByPlan: Record<string, number>): Promise<void> {
    await this.database.execute(RECORD, [
      JSON.stringify(daysByPlan),
      row.tenant_id,
      row.type,
      ...split(row.author),
      ...split(row.api_key),
      ...split(row.user),
      ...split(row.division),
      ...split(row.environment),
      ...split(row.deployment),
      row.data === null ? null : JSON.stringify(row.data),
      row.correlation_id,
      event?.event_key ?? null,
      event?.type ?? null,
      event?.subject ?? null,
      event ? JSON.stringify(event.data) : null,
      event?.trace_id ?? null,
    ]);
  }

  /** Writes the entries and events of one tenant, in their order. */
  async recordAll(
    changes: readonly { entry: AuditRow; event: OutboxRow }[],
    daysByPlan: Record<string, number>,
  ): Promise<void> {
    await this.database.execute(RECORD_ALL, [
      JSON.stringify(daysByPlan),
      changes[0]?.entry.tenant_id,
      JSON.stringify(changes.map(({ entry }) => entry)),
      JSON.stringify(changes.map(({ event }) => event)),
    ]);
  }

  async insertOutbox(row: OutboxRow): Promise<void> {
    const context = [row.tenant_id, ...split(row.division), ...split(row.environment), ...split(row.deployment)];
    const values = [row.event_key, row.type, ...context, row.subject, JSON.stringify(row.data), row.trace_id];
    await this.database.execute(INSERT_OUTBOX, values);
  }

  /** Inserts the events with new keys. Returns their number. */
  async insertOutboxOnce(rows: readonly OutboxRow[]): Promise<number> {
    if (rows.length === 0) return 0;
    return this.database.execute(INSERT_OUTBOX_ONCE, [JSON.stringify(rows)]);
  }

  async insertMetering(row: MeteringRow): Promise<void> {
    const shape = row.shape === null ? null : JSON.stringify(row.shape);
    const price = [row.monthly_compute_usd, row.monthly_storage_usd, row.pricing_version, row.effective_at ?? null];
    await this.database.execute(INSERT_METERING, [row.event_key, row.tenant_id, row.deployment_id, shape, ...price]);
  }
}
