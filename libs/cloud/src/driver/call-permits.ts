import { setTimeout as nap } from 'node:timers/promises';
import { CloudError } from '../cloud-error.js';
import { readPlaceAccount } from '../customer-account.js';

/** How many calls of a class a cloud accepts. */
export interface CallRate {
  perSecond: number;
  burst: number;
}

/** `run`: calls that create machines. */
export type CallClass = 'read' | 'write' | 'run';

/**
 * The budgets, below the limits of new accounts. AWS counts calls by account, region and kind; Google by project and minute, in all
 * regions of the project.
 */
export const CALL_RATES = {
  aws: { read: { perSecond: 15, burst: 60 }, write: { perSecond: 4, burst: 20 }, run: { perSecond: 2, burst: 5 } },
  gcp: { read: { perSecond: 12, burst: 60 }, write: { perSecond: 6, burst: 30 }, run: { perSecond: 2, burst: 10 } },
} as const satisfies Record<string, Record<CallClass, CallRate>>;
export type CountedCloud = keyof typeof CALL_RATES;

export interface CallBucket {
  /** The account of the customer. Null: the operator's own. */
  account: string | null;
  /** Empty for a cloud that counts the calls of all regions together. */
  region: string;
  class: CallClass;
}

/** The common budget of calls of all processes. */
export interface CallPermits {
  /** Resolves when the call may be made. @throws CloudError `throttled` when its turn is too far away */
  take(bucket: CallBucket, signal?: AbortSignal): Promise<void>;
}

/** The rows behind the permits. */
export interface CallSlots {
  /** Takes the next slot of the bucket. Returns the milliseconds until the slot, or null when that is more than `mostMs`. */
  take(bucket: string, rate: CallRate, mostMs: number): Promise<number | null>;
}

/** A step does not wait longer for one call. It is repeated later. */
const MOST_WAIT_MS = 5_000;

/** The permits of all processes, in the database of Landlord. */
export class SharedCallPermits implements CallPermits {
  constructor(
    private readonly slots: CallSlots,
    private readonly cloud: CountedCloud,
  ) {}

  async take({ account, region, class: kind }: CallBucket, signal?: AbortSignal): Promise<void> {
    // A cloud counts by account, whichever tenant's access makes the call.
    const counted = account === null ? '' : readPlaceAccount(account).accountId;
    const waitMs = await this.slots.take(
      `${this.cloud}/${counted}/${region}/${kind}`,
      CALL_RATES[this.cloud][kind],
      MOST_WAIT_MS,
    );
    if (waitMs === null)
      throw new CloudError(
        { code: 'throttled', retry_after_ms: MOST_WAIT_MS },
        `too many ${kind} calls of ${this.cloud}${region && ` in ${region}`}`,
      );
    if (waitMs > 0) await nap(waitMs, undefined, signal && { signal });
  }
}
