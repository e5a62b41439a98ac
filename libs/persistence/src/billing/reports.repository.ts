import { Injectable } from '@nestjs/common';
import type { BillingReportId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { byAmount, byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import { chargesOf, isChargeable } from './charges.js';
import { chargeColumns, chargeSums, type BillingScope, type ChargeLine, type Charges } from './charge-line.js';

/** The charges of a tenant in one calendar month (UTC). */
export interface BillingReport extends Charges {
  id: BillingReportId;
  /** `2026-10`. */
  month: string;
  /** The accounts of the month are closed. The report no longer changes. */
  isFinal: boolean;
  /** When the report was computed. */
  drawnAt: Date;
  lineCount: number;
}

const COPIED = [
  ...['deployment_name', 'deployment_code', 'division_id', 'division_name', 'environment_id', 'environment_name'],
  ...['compute_hours', 'storage_gb_hours', 'transfer_gb', 'compute_usd', 'storage_usd', 'transfer_usd', 'periods'],
].join(', ');
const BEGAN = `$2::date::timestamp at time zone 'utc'`;
const ENDED = `($2::date + interval '1 month') at time zone 'utc'`;
// The charges of a month only grow while the month is open, so it is safe to write an existing report line again.
const DRAW = statement(
  'report.draw',
  `with line as materialized (
     select d.tenant_id, d.id as deployment_id, d.name as deployment_name, d.code as deployment_code, d.division_id,
            v.name as division_name, d.environment_id, e.name as environment_name, c.*
       from deployments d
       join divisions v on v.id = d.division_id join environments e on e.id = d.environment_id
       cross join lateral (${chargesOf('d.id', BEGAN, ENDED)}) c
      where d.tenant_id = any($1::bigint[]) and ${isChargeable(BEGAN, ENDED)} and (c.periods <> '[]' or c.transfer_gb > 0)
   ), report as (
     insert into billing_reports as r (tenant_id, month, is_final) select distinct tenant_id, $2::date, $3::boolean from line
     on conflict (tenant_id, month) do update set is_final = excluded.is_final, drawn_at = now() where not r.is_final
     returning id, tenant_id
   )
   insert into billing_report_lines (report_id, deployment_id, ${COPIED})
   select report.id, line.deployment_id, ${COPIED} from line join report using (tenant_id)
   on conflict (report_id, deployment_id) do update
      set (${COPIED}) = row(${COPIED.replaceAll(/\w+/g, 'excluded.$&')})`,
);

/**
 * $1 tenant, $2 division or null. A caller with one division sees the months with charges for that division, and only its
 * lines.
 */
export const SEEN_LINES = 'l.report_id = r.id and ($2::bigint is null or l.division_id = $2)';
const VISIBLE = `r.tenant_id = $1 and ($2::bigint is null or exists (select from billing_report_lines l where ${SEEN_LINES}))`;
/** Lateral join `s`: totals of report `r` over the lines that the caller may see. */
export const SEEN_SUMS = `cross join lateral (
  select ${chargeSums('l')}, count(*)::int as lines from billing_report_lines l where ${SEEN_LINES}) s`;
const COLUMNS = `r.id, to_char(r.month, 'YYYY-MM') as month, r.is_final as "isFinal", r.drawn_at as "drawnAt",
  s.lines as "lineCount", ${chargeColumns('s')}`;

const LIST = paged('report.list', {
  columns: 'r.*',
  rows: `from billing_reports r where ${VISIBLE}`,
  id: 'r.id',
  keys: { month: byTime("r.month::timestamp at time zone 'utc'") },
  usual: '-month',
  around: (page, order) =>
    `with r as (${page}) select ${COLUMNS}, r.total, r.cursor_value, r.cursor_id from r ${SEEN_SUMS} ${order}`,
});
const FIND = statement(
  'report.find',
  `select ${COLUMNS} from billing_reports r ${SEEN_SUMS} where ${VISIBLE} and r.id = $3`,
);
const OF_REPORT = `from billing_report_lines l join billing_reports r on r.id = l.report_id
  where r.tenant_id = $1 and ($2::bigint is null or l.division_id = $2) and r.id = $3`;
const named = (level: string): string => `jsonb_build_object('id', l.${level}_id, 'name', l.${level}_name) as ${level}`;
const LINES = paged('report.list_lines', {
  columns: `${named('deployment')}, l.deployment_code as code, ${named('division')}, ${named('environment')}, l.periods, ${chargeColumns('l')}`,
  rows: OF_REPORT,
  id: 'l.deployment_id',
  keys: { cost: byAmount('l.compute_usd + l.storage_usd + l.transfer_usd') },
  usual: '-cost',
});

/** Monthly reports with one line per deployment. Invoices refer to them. */
@Injectable()
export class ReportsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Writes the reports of the month (`2026-10-01`) for these tenants in one statement. A tenant without charges gets no report.
   * A final report stays unchanged. Returns the number of written lines.
   */
  async draw(tenantIds: readonly TenantId[], month: string, isFinal: boolean): Promise<number> {
    return this.database.execute(DRAW, [tenantIds, month, isFinal]);
  }

  /** The newest month first. */
  async list({ tenantId, divisionScope }: BillingScope, request: PageRequest): Promise<PageOf<BillingReport>> {
    return readPage<BillingReport>(this.database, LIST, [tenantId, divisionScope], request);
  }

  async find({ tenantId, divisionScope }: BillingScope, id: BillingReportId): Promise<BillingReport | null> {
    return this.database.first<BillingReport>(FIND, [tenantId, divisionScope, id]);
  }

  /** The most expensive lines first. */
  async lines(scope: BillingScope, id: BillingReportId, request: PageRequest): Promise<PageOf<ChargeLine>> {
    const values = [scope.tenantId, scope.divisionScope, id];
    return readPage<ChargeLine>(this.database, LINES, values, request);
  }
}
