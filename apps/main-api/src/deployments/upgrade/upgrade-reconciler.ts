import { Injectable } from '@nestjs/common';
import { Catalog, type ManagedTier } from '@libs/catalog';
import { Database } from '@libs/persistence';
import { DeploymentsRepository, UpgradesRepository, type EndedUpgrade } from '@libs/persistence/organization';
import { Reconciler } from '@libs/workflow';

const PERIOD_MS = 1000;

/**
 * Settles upgrades whose operations have ended. A succeeded upgrade is added to the history. After a failed one, the
 * row gets the shape that serves again. The Supervisor that runs upgrades may not write the row. Safe in any number of
 * processes: each row is taken by one.
 */
@Injectable()
export class UpgradeReconciler extends Reconciler {
  constructor(
    private readonly database: Database,
    private readonly upgrades: UpgradesRepository,
    private readonly deployments: DeploymentsRepository,
    private readonly catalog: Catalog,
  ) {
    super('UpgradeReconciler', PERIOD_MS);
  }

  protected async pass(): Promise<void> {
    await this.database.transaction(async () => {
      for (const upgrade of await this.upgrades.takeEndedUnscoped()) await this.settle(upgrade);
    });
  }

  /**
   * A reverted hardware upgrade ends its cooldown. A failed change of terms keeps the cooldown of an earlier hardware
   * upgrade.
   */
  private async settle({ id, tenant_id, deployment_id, from_shape: from, ...upgrade }: EndedUpgrade): Promise<void> {
    await this.upgrades.settle(id, upgrade.is_applied ? 'applied' : 'reverted');
    if (upgrade.is_applied) return;
    const days = this.catalog.telemetryDays(from.managed_tier as ManagedTier | null);
    await this.deployments.reshape(tenant_id, deployment_id, from, days, upgrade.is_hardware ? 'end' : 'keep');
  }
}
