import { Injectable } from '@nestjs/common';
import type { DeploymentId, TenantId, DivisionId, EnvironmentId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { Named } from '../ledger/index.js';
import { chargesOf } from './charges.js';

/** A deployment with a spend limit, and its cost in the current calendar month (UTC) until now. Money: decimal USD. */
export interface Spend {
  deployment: Named<DeploymentId>;
  code: string;
  tenantId: TenantId;
  division: Named<DivisionId>;
  environment: Named<EnvironmentId>;
  spendLimit: string;
  spent: string;
  /** `2026-01`. */
  month: string;
  /** The cost is above zero and has reached the limit. */
  isReached: boolean;
}

const named = (table: string): string => `jsonb_build_object('id', ${table}.id, 'name', ${table}.name)`;

// Covers the whole installation. There is no acting caller.
const WATCHED = statement(
  'spend.watched',
  `with clock as (
     select coalesce($3::timestamptz, now()) as until, date_trunc('month', coalesce($3::timestamptz, now()), 'utc') as began
   ), watched as (
     select id, name, code, tenant_id, division_id, environment_id, spend_limit from deployments
      where id > $1 and spend_limit is not null and deletion_requested_at is null
      order by id limit $2
   ), costs as (
     select w.*, clock.began, charges.total_usd as spent
       from watched w cross join clock cross join lateral (${chargesOf('w.id', 'clock.began', 'clock.until')}) charges
   )
   select ${named('c')} as deployment, c.code, c.tenant_id as "tenantId", ${named('v')} as division, ${named('e')} as environment,
          c.spend_limit::text as "spendLimit", c.spent::text as spent, to_char(c.began at time zone 'utc', 'YYYY-MM') as month,
          c.spent > 0 and c.spent >= c.spend_limit as "isReached"
     from costs c join divisions v on v.id = c.division_id join environments e on e.id = c.environment_id
    order by c.id`,
);

/** The cost of deployments, computed from metered intervals. */
@Injectable()
export class SpendRepository {
  constructor(private readonly database: Database) {}

  /**
   * The next existing deployments after `afterId` that have a spend limit, in the order of their ids. Computes the cost of the
   * month of `until`, up to `until`. Default for `until`: the current time of the database.
   */
  async watchedUnscoped(afterId: DeploymentId, limit: number, until: Date | null = null): Promise<Spend[]> {
    return this.database.query<Spend>(WATCHED, [afterId, limit, until]);
  }
}
