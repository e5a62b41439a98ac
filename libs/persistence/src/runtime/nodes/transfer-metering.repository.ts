import { Injectable } from '@nestjs/common';
import type { DeploymentId } from '@libs/domain';
import { statement, Database } from '../../database.js';

/** The price of a GB (10^9 bytes) of client transfer in the current catalog. */
export interface TransferPrices {
  /** Version of the catalog. */
  version: string;
  /** USD as decimal text, by network scope. */
  usdPerGb: Readonly<Record<string, string>>;
}

// All nodes in one statement. A counter that is below its previous value was restarted, so its whole value is new. A node
// without a mark is new. Samples that are not newer than the mark are already counted. Deployments whose marks were removed are
// skipped: a late row of theirs would count from zero.
const meter = (scope: string): string =>
  `with sample as materialized (
     select m.deployment_id, m.node_id, m.minute, greatest(m.bytes_in + m.bytes_out, 0) as bytes,
            coalesce(k.bytes, 0) as marked
       from node_metrics m
       join deployment_runtimes r on r.deployment_id = m.deployment_id and r.telemetry_purged_at is null
       left join transfer_marks k on k.node_id = m.node_id
      where ${scope} and m.runtime = 'broker' and m.bytes_in + m.bytes_out is not null
        and m.minute > coalesce(k.minute, '-infinity')
   ), step as (
     select deployment_id, minute, bytes, lag(bytes, 1, marked) over (partition by node_id order by minute) as before
       from sample
   ), carried as (
     select deployment_id, date_bin('1 hour', minute, 'epoch') as hour,
            round(sum(case when bytes < before then bytes else bytes - before end))::bigint as bytes
       from step group by 1, 2
   ), marks as (
     insert into transfer_marks (node_id, deployment_id, minute, bytes)
     select distinct on (node_id) node_id, deployment_id, minute, bytes from sample order by node_id, minute desc
     on conflict (node_id) do update set minute = excluded.minute, bytes = excluded.bytes
   )
   insert into metering_transfers (tenant_id, deployment_id, effective_at, bytes, usd_per_gb, pricing_version)
   select d.tenant_id, d.id, c.hour, c.bytes,
          case when d.managed_tier is null then 0 else ($2::jsonb ->> d.network_scope)::numeric end, $3
     from carried c join deployments d on d.id = c.deployment_id
    where c.bytes > 0 order by c.hour, d.id`;
const METER_HOUR = statement(
  'transfer.meter_hour',
  meter(`m.minute >= $1::timestamptz and m.minute < $1::timestamptz + interval '1 hour'`),
);
const METER_DEPLOYMENT = statement('transfer.meter_deployment', meter('m.deployment_id = $1'));
const FORGET = statement('transfer.forget', 'delete from transfer_marks where deployment_id = $1');

/**
 * Turns the counters of brokers into the transfer of deployments: both directions, one row per deployment and hour (C-25.8).
 * Only a transaction that has claimed the hour of telemetry, or holds the roll-up lock, may meter. Two at once would count
 * twice.
 */
@Injectable()
export class TransferMeteringRepository {
  constructor(private readonly database: Database) {}

  /** Meters the transfer of all nodes from their marks to the end of the hour. Ignores samples before the hour. */
  async meterHour(hour: Date, prices: TransferPrices): Promise<void> {
    await this.meter(METER_HOUR, hour.toISOString(), prices);
  }

  /** Meters the transfer of the deployment from the marks of its nodes to their last samples, per hour. */
  async meterDeployment(deploymentId: DeploymentId, prices: TransferPrices): Promise<void> {
    await this.meter(METER_DEPLOYMENT, deploymentId, prices);
  }

  /** Deletes the marks of a deleted deployment. */
  async forget(deploymentId: DeploymentId): Promise<void> {
    await this.database.execute(FORGET, [deploymentId]);
  }

  private async meter(metering: typeof METER_HOUR, of: string | number, prices: TransferPrices): Promise<void> {
    await this.database.execute(metering, [of, JSON.stringify(prices.usdPerGb), prices.version]);
  }
}
