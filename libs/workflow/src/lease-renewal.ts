import type { OperationRow } from './operation-row.js';
import { LEASE_SECONDS } from './operation-statements.js';
import type { OperationStore } from './operation-store.js';

const RENEW_MS = (LEASE_SECONDS / 3) * 1000;
/** A step that takes longer is not renewed for: it must time out its calls before. */
const STEP_LIMIT_MS = 60_000;

/**
 * Renews the lease of one operation while its steps run. When the database says it is lost, or does not answer before
 * it would end, or a single step takes too long, the signal aborts and nothing is renewed any more.
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

  /** The signal for the step that begins now. */
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
      // The database may be away for a moment; the next tick decides by the age of the last renewal.
    } finally {
      this.isRenewing = false;
    }
  }

  private giveUp(): void {
    this.controller.abort();
    this.stop();
  }
}
