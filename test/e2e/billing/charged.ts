import type { TestCloud } from '@libs/testing';

interface Charged {
  division: number;
  environment: number;
  name: string;
  /** USD for a month of compute. */
  monthly: number;
}

/**
 * Adds a deployment that has run for two months whose accounts are over, and since then. The billing months are open from
 * its start on. On the first day of a month, the month before is still open for late usage, so it is not one of the two.
 */
export async function charged(cloud: TestCloud, { division, environment, name, monthly }: Charged): Promise<void> {
  const began = `date_trunc('month', now() at time zone 'utc' - interval '2 days') - interval '2 months'`;
  await cloud.rows(
    `begin;
     set local session_replication_role = replica;
     delete from billing_months;
     insert into billing_months (month, settled_at) values (${began} - interval '1 month', now());
     with made as (
       insert into deployments (tenant_id, division_id, environment_id, name, code, variant, cloud, area, region, cell, tier,
         cluster, storage_type, storage_size, target_network_tput, network_scope, availability_mode, nodes_count,
         telemetry_days, monthly_compute, monthly_storage, pricing_version)
       values (${cloud.installation.tenant_id}, ${division}, ${environment}, '${name}', '${name}', 'managed', 'aws', 'us', 'us-east-1',
         'elsewhere', 'small', 'standalone', 'network_balanced', 100, 100, 'same_region', 'single_az', 1, 14, ${monthly}, 0, '1')
       returning id
     ), runtime as (
       insert into deployment_runtimes (deployment_id, cell, status, peer_secret)
       select id, 'elsewhere', 'initialized', '' from made
     )
     insert into metering_intervals (event_key, tenant_id, deployment_id, effective_at, shape, monthly_compute_usd,
       monthly_storage_usd, pricing_version)
     select '${name}', ${cloud.installation.tenant_id}, id, (${began}) at time zone 'utc',
       '{"nodes":1,"storage_size":100,"tier":"small"}', ${monthly}, 0, '1' from made;
     commit`,
  );
}
