import { Injectable } from '@nestjs/common';
import type { UpgradeMemo, DeploymentId, DeploymentUpgradeId, OperationId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { DeploymentUpgrade } from './entities/deployment-upgrade.entity.js';

/** An upgrade whose operation has ended. */
export interface EndedUpgrade extends Pick<DeploymentUpgrade, 'id' | 'deployment_id' | 'from_shape' | 'is_hardware'> {
  tenant_id: TenantId;
  is_applied: boolean;
}

const INSERT = statement(
  'upgrade.insert',
  `insert into deployment_upgrades (deployment_id, operation_id, from_shape, to_shape, is_hardware)
   values ($1, $2, $3::jsonb, $4::jsonb, $5)`,
);
const IS_PENDING = statement(
  'upgrade.is_pending',
  `select exists(select 1 from deployment_upgrades where deployment_id = $1 and status = 'pending') as pending`,
);
const TAKE_ENDED = statement(
  'upgrade.take_ended',
  `select u.id, o.tenant_id, u.deployment_id, u.from_shape, u.is_hardware, o.status = 'succeeded' as is_applied
     from deployment_upgrades u join operations o on o.id = u.operation_id
    where u.status = 'pending' and o.status not in ('pending', 'running')
    order by u.id limit 50 for update of u skip locked`,
);
const SETTLE = statement(
  'upgrade.settle',
  `update deployment_upgrades set status = $2, settled_at = now() where id = $1 and status = 'pending'`,
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
    const shapes = [JSON.stringify(from), JSON.stringify(to)];
    await this.database.execute(INSERT, [deploymentId, operationId, ...shapes, is_hardware]);
  }

  /** Whether the deployment has an upgrade that is not settled yet. */
  async isPending(deploymentId: DeploymentId): Promise<boolean> {
    const [row] = await this.database.query<{ pending: boolean }>(IS_PENDING, [deploymentId]);
    return row?.pending ?? false;
  }

  /** Some unsettled upgrades with ended operations. Locks them until the transaction ends. */
  async takeEndedUnscoped(): Promise<EndedUpgrade[]> {
    return this.database.query<EndedUpgrade>(TAKE_ENDED);
  }

  async settle(id: DeploymentUpgradeId, status: 'applied' | 'reverted'): Promise<void> {
    await this.database.execute(SETTLE, [id, status]);
  }
}
