import { RefusedCall, type RefusalConsequence } from '@libs/domain/refused-call';

/**
 * Why a cloud refuses a call, with the facts that a reader needs.
 * - `throttled`: too many calls. `retry_after_ms`: milliseconds until the cloud accepts calls again.
 * - `capacity`: the cloud has no more of `what` in the zone now. `zone` is null where the cloud does not name one.
 * - `quota`: the account has reached the limit `name`, until a person raises it.
 * - `denied`: the account does not allow the actions, until a person allows them.
 * - `invalid`: the cloud never accepts this call.
 * - `unavailable`: the cloud cannot do it now, or does not answer.
 */
export type CloudRefusal =
  | { code: 'throttled'; retry_after_ms: number }
  | { code: 'capacity'; what: string; zone: string | null }
  | { code: 'quota'; name: string }
  | { code: 'denied'; actions: string[] }
  | { code: 'invalid' }
  | { code: 'unavailable' };
export type CloudErrorCode = CloudRefusal['code'];

const CONSEQUENCES: Record<CloudErrorCode, RefusalConsequence> = {
  throttled: 'wait',
  capacity: 'wait',
  quota: 'hold',
  denied: 'hold',
  invalid: 'fail',
  unavailable: 'retry',
};
/** A cloud does not say when it has capacity again. */
const CAPACITY_WAIT_MS = 30_000;

/** A failure of a cloud driver. `message` is for the operator and the deployment's `status_reason`. */
export class CloudError extends RefusedCall {
  override readonly name = 'CloudError';

  constructor(
    readonly refusal: CloudRefusal,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get code(): CloudErrorCode {
    return this.refusal.code;
  }

  get consequence(): RefusalConsequence {
    return CONSEQUENCES[this.code];
  }

  get retryAfterMs(): number {
    return this.refusal.code === 'throttled' ? this.refusal.retry_after_ms : CAPACITY_WAIT_MS;
  }
}
