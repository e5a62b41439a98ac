import { setTimeout as nap } from 'node:timers/promises';
import { CloudError } from '../cloud-error.js';
import { readPlaceAccount } from '../customer-account.js';

/** AWS counts calls by account, region and kind. These limits are below those of AWS for new accounts. */
export const CALL_RATES = {
  read: { perSecond: 15, burst: 60 },
  write: { perSecond: 4, burst: 20 },
  run: { perSecond: 2, burst: 5 },
} as const;
export type CallClass = keyof typeof CALL_RATES;

export interface CallBucket {
  /** The account of the customer. Null: the operator's own. */
  account: string | null;
  region: string;
  class: CallClass;
}

/** The common budget of calls of all processes. */
export interface CallPermits {
  /** Resolves when the call may be made. @throws CloudError `throttled` when its turn is too far away */
  take(bucket: CallBucket, signal?: AbortSignal): Promise<void>;
}

/** The class of a call by its name, as EC2 counts it. */
export function classOf(command: string): CallClass {
  if (command === 'RunInstances') return 'run';
  return /^(Describe|Get|List)/.test(command) ? 'read' : 'write';
}

/** The rows behind the permits. */
export interface CallSlots {
  /** Takes the next slot of the bucket. Returns the milliseconds until the slot, or null when that is more than `mostMs`. */
  take(bucket: string, rate: { perSecond: number; burst: number }, mostMs: number): Promise<number | null>;
}

/** A step does not wait longer for one call. It is repeated later. */
const MOST_WAIT_MS = 5_000;

/** The permits of all processes, in the database of Landlord. */
export class SharedCallPermits implements CallPermits {
  constructor(private readonly slots: CallSlots) {}

  async take({ account, region, class: kind }: CallBucket, signal?: AbortSignal): Promise<void> {
    // AWS counts by account, whichever tenant's role makes the call.
    const counted = account === null ? '' : readPlaceAccount(account).accountId;
    const waitMs = await this.slots.take(`aws/${counted}/${region}/${kind}`, CALL_RATES[kind], MOST_WAIT_MS);
    if (waitMs === null)
      throw new CloudError(
        { code: 'throttled', retry_after_ms: MOST_WAIT_MS },
        `too many ${kind} calls of AWS in ${region}`,
      );
    if (waitMs > 0) await nap(waitMs, undefined, signal && { signal });
  }
}
