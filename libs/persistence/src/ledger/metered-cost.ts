/** Hours that a month has for every price, whichever month it is; the prices of the catalog are made for so many. */
export const HOURS_A_MONTH = 730;

/**
 * What a deployment costs between two instants, as SQL: one rule for everybody who asks, be it the watch over spend limits
 * or an invoice. Names are expressions of the query around it; the answer is an expression, a numeric in USD, rounded to
 * the cent at the very end and never before.
 *
 * Each row of `metering_intervals` says: from `effective_at` on this shape, at this price a month, until the next row of
 * the deployment (of two of one instant the later written one counts). Without a shape nothing is charged. A second costs
 * the monthly price by 730 × 3600. Of what lies before `from` only the row that is still in force there is read.
 */
export function meteredCost(deploymentId: string, from: string, until: string): string {
  return `(
    select coalesce(round(sum(i.monthly * extract(epoch from least(i.ends_at, ${until}) - greatest(i.begins_at, ${from})))
             / (${HOURS_A_MONTH} * 3600), 2), 0.00)
      from (
        select m.effective_at as begins_at,
               lead(m.effective_at, 1, 'infinity') over (order by m.effective_at, m.id) as ends_at,
               case when m.shape is null then 0 else m.monthly_compute_usd + m.monthly_storage_usd end as monthly
          from metering_intervals m
         where m.deployment_id = ${deploymentId} and m.effective_at < ${until}
           and m.effective_at >= coalesce((
                 select max(b.effective_at) from metering_intervals b
                  where b.deployment_id = ${deploymentId} and b.effective_at <= ${from}), '-infinity')
      ) i
     where i.ends_at > ${from})`;
}
