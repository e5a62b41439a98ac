import { Inject, Injectable } from '@nestjs/common';
import { CloudError, describeOne } from '@libs/cloud';
import { AccountAccessRepository, type AccountInUse } from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { CloudProviders } from '../platform/index.js';

const LONGEST_PERIOD_MS = 30_000;
const CALL_TIMEOUT_MS = 15_000;
/** How many accounts are asked together. A provider that does not answer delays at most these, for at most one call. */
const TOGETHER = 10;

/**
 * Shows in the status reason of serving deployments that the provider refuses Landlord in the account of the customer, for example
 * because the role was deleted. Removes the text when the provider accepts Landlord again. The nodes are not changed.
 */
@Injectable()
export class AccountAccessReconciler extends Reconciler {
  private readonly cell: string;

  constructor(
    private readonly access: AccountAccessRepository,
    private readonly providers: CloudProviders,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super('AccountAccess', Math.min(LONGEST_PERIOD_MS, (config.NODE_UNREACHABLE_SECONDS * 1000) / 4));
    this.cell = config.SUPERVISOR_CELL;
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    const accounts = await this.access.inUse(this.cell);
    for (let at = 0; at < accounts.length && !stopping.aborted; at += TOGETHER)
      await Promise.all(accounts.slice(at, at + TOGETHER).map((account) => this.ask(account, stopping)));
  }

  private async ask(account: AccountInUse, stopping: AbortSignal): Promise<void> {
    const { driver, at, deploymentIds } = account;
    try {
      const refusal = await this.refusalOf(account, stopping);
      const reason = refusal && `Landlord cannot change the nodes: ${refusal.message}`;
      if ((await this.access.record(deploymentIds, reason)) > 0)
        this.logger.warn({ driver, at, deployments: deploymentIds, reason }, 'the access to an account has changed');
    } catch (error) {
      if (!stopping.aborted)
        this.logger.warn({ driver, at, error: String(error) }, 'the provider did not say whether it accepts Landlord');
    }
  }

  /** A first refusal can be about keys whose time is over, which the driver then replaces. The second one is about the account. */
  private async refusalOf(account: AccountInUse, stopping: AbortSignal): Promise<CloudError | null> {
    return (await this.look(account, stopping)) && this.look(account, stopping);
  }

  /** The refusal of a look at the network. @throws CloudError when the provider has not decided */
  private async look({ driver, ...ref }: AccountInUse, stopping: AbortSignal): Promise<CloudError | null> {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    try {
      await describeOne(this.providers.driver(driver), 'network', ref, signal);
      return null;
    } catch (error) {
      if (error instanceof CloudError && error.code === 'denied') return error;
      throw error;
    }
  }
}
