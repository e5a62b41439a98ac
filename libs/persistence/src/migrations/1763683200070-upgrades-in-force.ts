import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A deployment shows the shape in force. The Supervisor ends an upgrade and applies it in one commit. The Supervisor may
 * not write deployments, so this function is all that it may do with them.
 */
export class UpgradesInForce1763683200070 implements MigrationInterface {
  name = 'UpgradesInForce1763683200070';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(APPLY_UPGRADE);
    await runner.query('revoke all on function apply_upgrade(bigint) from public');
    await runner.query(
      `create index deployment_upgrades_open on deployment_upgrades (deployment_id) where status = 'pending'`,
    );
    await runner.query(
      `update deployment_runtimes r set network_mode = 'private'
         from deployments d where d.id = r.deployment_id and not d.public_ip_enabled`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index deployment_upgrades_open');
    await runner.query('drop function apply_upgrade(bigint)');
  }
}

/** Does nothing when the operation has not succeeded, or its upgrade is settled already. Shapes of earlier releases have no days. */
const APPLY_UPGRADE = `
create function apply_upgrade(operation bigint) returns void language plpgsql security definer set search_path = public as $$
declare
  upgrade record;
begin
  update deployment_upgrades set status = 'applied', settled_at = now()
   where operation_id = operation and status = 'pending'
     and exists (select 1 from operations o where o.id = operation and o.status = 'succeeded')
  returning deployment_id, to_shape into upgrade;
  if not found then return; end if;
  update deployments d
     set tier = upgrade.to_shape ->> 'tier',
         managed_tier = upgrade.to_shape ->> 'managed_tier',
         storage_size = (upgrade.to_shape #>> '{storage,size}')::int,
         monthly_compute = (upgrade.to_shape ->> 'monthly_compute')::numeric,
         monthly_storage = (upgrade.to_shape ->> 'monthly_storage')::numeric,
         pricing_version = upgrade.to_shape ->> 'pricing_version',
         telemetry_days = case when d.telemetry_days_explicit
           then least(d.telemetry_days, coalesce((upgrade.to_shape ->> 'telemetry_days')::int, d.telemetry_days))
           else coalesce((upgrade.to_shape ->> 'telemetry_days')::int, d.telemetry_days) end,
         updated_at = now()
   where d.id = upgrade.deployment_id;
end $$`;
