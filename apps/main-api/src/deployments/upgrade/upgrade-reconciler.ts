import { Injectable } from '@nestjs/common';
import { Database, Notifications } from '@libs/persistence';
import { UpgradesRepository } from '@libs/persistence/organization';
import { Reconciler } from '@libs/workflow';

const PERIOD_MS = 1000;
/** Notifications announce the end of an operation. This finds ends whose notification was lost. */
const QUIET_MS = 5000;

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
    private readonly notifications: Notifications,
  ) {
    super('UpgradeReconciler', PERIOD_MS);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.untilStop(this.notifications.on('landlord_operations', () => this.soon()));
  }

  protected async pass(): Promise<number> {
    return this.database.transaction(async () => {
      const ended = await this.upgrades.takeEndedUnscoped();
      for (const { id, operation_id: operation, ...upgrade } of ended)
        await (upgrade.is_applied ? this.upgrades.apply(operation) : this.upgrades.revert(upgrade.tenant_id, id));
      return ended.length > 0 ? PERIOD_MS : QUIET_MS;
    });
  }
}
