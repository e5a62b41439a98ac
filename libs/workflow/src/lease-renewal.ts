import type { OperationRow } from './operation-row.js';
import { LEASE_SECONDS } from './operation-statements.js';
import type { OperationStore } from './operation-store.js';

const RENEW_MS = (LEASE_SECONDS / 3) * 1000;
/** After this time the lease of a step is not renewed. A step must time out its own calls earlier. */
const STEP_LIMIT_MS = 60_000;

/** Another worker has the lease; the current write is rolled back. Never leaves the runner. */
export class LeaseLost extends Error {}

/**
 * Renews the lease of one operation while its steps run. The signal aborts and renewals stop in three cases: the
 * database reports that the lease is lost, the database does not answer before the lease ends, or a step takes too
 * long.
 */
export class LeaseRenewal {
  private readonly timer: NodeJS.Timeout;
  private readonly controller = new AbortController();
  private renewedAt = Date.now();
  private stepBegunAt = Date.now();
  private isRenewing = false;

  constructor(
    private readonly store: OperationStore,
    private readonly row: OperationRow,
  ) {
    this.timer = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  /** Returns the signal for the step that starts now. */
  watch(): AbortSignal {
    this.stepBegunAt = Date.now();
    return this.controller.signal;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    const isTooLong = Date.now() - this.stepBegunAt > STEP_LIMIT_MS;
    if (isTooLong || Date.now() - this.renewedAt > LEASE_SECONDS * 1000 - RENEW_MS / 2) return this.giveUp();
    if (this.isRenewing) return;
    this.isRenewing = true;
    try {
      if (await this.store.renew(this.row)) this.renewedAt = Date.now();
      else this.giveUp();
    } catch {
      // The database may be unavailable for a moment. The next tick decides by the age of the last renewal.
    } finally {
      this.isRenewing = false;
    }
  }

  private giveUp(): void {
    this.controller.abort();
    this.stop();
  }
}
