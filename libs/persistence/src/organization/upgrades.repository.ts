import { Injectable } from '@nestjs/common';
import type { UpgradeMemo, DeploymentId, DeploymentUpgradeId, OperationId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { DeploymentUpgrade } from './entities/deployment-upgrade.entity.js';

/** An upgrade whose operation has ended. */
export interface EndedUpgrade extends Pick<DeploymentUpgrade, 'id' | 'operation_id'> {
  tenant_id: TenantId;
  is_applied: boolean;
}

// A shape of an earlier release is in the row of the deployment since the request. So both results write the shape.
const TAKE_ENDED = statement(
  'upgrade.take_ended',
  `select u.id, u.operation_id, o.tenant_id, o.status = 'succeeded' as is_applied
     from deployment_upgrades u join operations o on o.id = u.operation_id
    where u.status = 'pending' and o.status not in ('pending', 'running')
    order by u.id limit 50 for update of u skip locked`,
);
const APPLY = statement('upgrade.apply', 'select apply_upgrade($1)');
const REVERT = statement(
  'upgrade.revert',
  `with reverted as (
     update deployment_upgrades set status = 'reverted', settled_at = now()
      where id = $1 and status = 'pending' returning deployment_id, from_shape, is_hardware
   )
   update deployments d
      set tier = from_shape ->> 'tier', managed_tier = from_shape ->> 'managed_tier',
          storage_size = (from_shape #>> '{storage,size}')::int,
          monthly_compute = (from_shape ->> 'monthly_compute')::numeric,
          monthly_storage = (from_shape ->> 'monthly_storage')::numeric,
          pricing_version = from_shape ->> 'pricing_version',
          upgraded_at = case when is_hardware then null else upgraded_at end, updated_at = now()
     from reverted where d.id = reverted.deployment_id and d.tenant_id = $2`,
);

/** Requested upgrades of deployments and their results. */
@Injectable()
export class UpgradesRepository {
  constructor(private readonly database: Database) {}

  async insert(
    deploymentId: DeploymentId,
    operationId: OperationId,
    { from, to, is_hardware }: UpgradeMemo,
  ): Promise<void> {
    const upgrade = {
      deployment_id: deploymentId,
      operation_id: operationId,
      from_shape: from,
      to_shape: to,
      is_hardware,
    };
    await this.database.repository(DeploymentUpgrade).insert(upgrade);
  }

  /** Whether the deployment has an upgrade that is not settled yet. */
  async isPending(deploymentId: DeploymentId): Promise<boolean> {
    return this.database.repository(DeploymentUpgrade).existsBy({ deployment_id: deploymentId, status: 'pending' });
  }

  /** Some unsettled upgrades with ended operations. Locks them until the transaction ends. */
  async takeEndedUnscoped(): Promise<EndedUpgrade[]> {
    return this.database.query<EndedUpgrade>(TAKE_ENDED);
  }

  /** Gives the deployment the requested shape, in the commit that ends the operation. Does nothing if this is done already. */
  async apply(operationId: OperationId): Promise<void> {
    await this.database.query(APPLY, [operationId]);
  }

  /** The deployment keeps its shape. A reverted change of hardware ends its cooldown. */
  async revert(tenantId: TenantId, id: DeploymentUpgradeId): Promise<void> {
    await this.database.execute(REVERT, [id, tenantId]);
  }
}
