/** Hours per month for every price, independent of the month. The prices of the catalog assume this number. */
export const HOURS_A_MONTH = 730;

/** Money of a line: an exact sum, rounded once, half to even (C-25.9). The cast keeps the division exact enough for that. */
const usd = (sum: string, unit: string): string => `round_half_even(coalesce(${sum}, 0)::numeric(80, 30) / ${unit}, 2)`;
const hours = (quantity: string): string => `coalesce(round(sum(${quantity} * p.seconds) / 3600, 6), 0)`;
const iso = (moment: string): string => `to_char(${moment} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * SQL of one row: the charges of a deployment between two instants. Spend limits, reports and invoices all use this one rule.
 * The names refer to expressions of the surrounding query.
 *
 * Each row of `metering_intervals` sets a shape and a monthly price from `effective_at` until the next row of the deployment.
 * If two rows have the same instant, the later written row counts. A row without a shape costs nothing. A second costs the
 * monthly price divided by 730 × 3600. Of the rows before `from`, the query reads only the row that is still in force at
 * `from`. Each row of `metering_transfers` is charged at its instant.
 */
export function chargesOf(deploymentId: string, from: string, until: string): string {
  return `
    select shapes.*, transfers.*, shapes.compute_usd + shapes.storage_usd + transfers.transfer_usd as total_usd
      from (
        select ${hours('p.nodes')} as compute_hours, ${hours('p.nodes * p.storage_gb')} as storage_gb_hours,
               ${usd('sum(p.monthly_compute_usd * p.seconds)', `(${HOURS_A_MONTH} * 3600)`)} as compute_usd,
               ${usd('sum(p.monthly_storage_usd * p.seconds)', `(${HOURS_A_MONTH} * 3600)`)} as storage_usd,
               coalesce(jsonb_agg(p.shape || jsonb_build_object(
                 'from', ${iso('p.begins_at')}, 'to', ${iso('p.ends_at')}, 'pricing_version', p.pricing_version,
                 'monthly_base_usd', (p.monthly_compute_usd + p.monthly_storage_usd)::text) order by p.begins_at), '[]') as periods
          from (
            select i.*, (i.shape ->> 'nodes')::int as nodes, (i.shape ->> 'storage_size')::int as storage_gb,
                   extract(epoch from i.ends_at - i.begins_at) as seconds
              from (${intervalsOf(deploymentId, from, until)}) i
             where i.shape is not null and i.ends_at > i.begins_at
          ) p
      ) shapes
      cross join (
        select coalesce(sum(t.bytes), 0) / 1e9 as transfer_gb, ${usd('sum(t.bytes * t.usd_per_gb)', '1e9')} as transfer_usd
          from metering_transfers t
         where t.deployment_id = ${deploymentId} and t.effective_at >= ${from} and t.effective_at < ${until}
      ) transfers`;
}

const intervalsOf = (deploymentId: string, from: string, until: string): string => `
  select greatest(m.effective_at, ${from}) as begins_at,
         least(lead(m.effective_at) over (order by m.effective_at, m.id), ${until}) as ends_at,
         m.shape, m.monthly_compute_usd, m.monthly_storage_usd, m.pricing_version
    from metering_intervals m
   where m.deployment_id = ${deploymentId} and m.effective_at < ${until}
     and m.effective_at >= coalesce((
           select max(b.effective_at) from metering_intervals b
            where b.deployment_id = ${deploymentId} and b.effective_at <= ${from}), '-infinity')`;

/**
 * SQL condition: can the deployment `d` of the surrounding query have charges between two instants? The deployment existed, or
 * it has transfer that is charged later. Both are separate lookups per deployment, never joins: the cost for one tenant or one
 * batch must not grow with the number of all deployments of the installation.
 */
export const isChargeable = (from: string, until: string): string => `(
  (select coalesce(r.deleted_at, 'infinity') from deployment_runtimes r where r.deployment_id = d.id) > ${from}
  or (select true from metering_transfers t
       where t.deployment_id = d.id and t.effective_at >= ${from} and t.effective_at < ${until} limit 1))`;
