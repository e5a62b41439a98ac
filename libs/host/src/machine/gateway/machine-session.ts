import { reasonOf, type JsonLog } from '../../os/json-log.js';
import { GatewayError } from '../../node/agent-error.js';
import { Wakeup } from '../../os/wakeup.js';
import type { Backoff } from '../../node/gateway/backoff.js';

/** The reactions of both loops to failed calls. */
export class MachineSession {
  constructor(
    readonly authorization: string,
    private readonly log: JsonLog,
    private readonly onRemoved: () => void,
    private readonly accepted: () => Promise<void>,
  ) {}

  /** The gateway accepted a call with the credential. */
  confirm(): Promise<void> {
    return this.accepted();
  }

  /** Waits after a failure, so that the caller can retry. 410 ends the session: the operator has removed the machine. */
  async pause(error: unknown, backoff: Backoff, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const refusal = error instanceof GatewayError ? error : null;
    if (refusal?.status === 410) return this.onRemoved();
    const waitMs = backoff.next(refusal?.retryAfterMs);
    this.log.warn('a call to the gateway failed', { reason: reasonOf(error), retry_ms: Math.round(waitMs) });
    await new Wakeup().sleep(waitMs, signal);
  }
}
