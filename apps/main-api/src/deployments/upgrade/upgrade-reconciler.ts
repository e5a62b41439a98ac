import { Injectable } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { UpgradesRepository } from '@libs/persistence/organization';
import { Reconciler } from '@libs/workflow';

const PERIOD_MS = 1000;

/**
 * Settles upgrades whose operations have ended. The Supervisor applies a succeeded upgrade itself, in the commit that ends
 * the operation. A Supervisor of an earlier release does not, and nobody else settles failed and cancelled upgrades. Safe
 * in any number of processes: each row is taken by one.
 */
@Injectable()
export class UpgradeReconciler extends Reconciler {
  constructor(
    private readonly database: Database,
    private readonly upgrades: UpgradesRepository,
  ) {
    super('UpgradeReconciler', PERIOD_MS);
  }

  protected async pass(): Promise<void> {
    await this.database.transaction(async () => {
      for (const { id, operation_id: operation, ...upgrade } of await this.upgrades.takeEndedUnscoped())
        await (upgrade.is_applied ? this.upgrades.apply(operation) : this.upgrades.revert(upgrade.tenant_id, id));
    });
  }
}
