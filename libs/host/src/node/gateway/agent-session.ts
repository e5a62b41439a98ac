import { reasonOf, type JsonLog } from '../../os/json-log.js';
import { GatewayError } from '../agent-error.js';
import { Backoff } from './backoff.js';
import type { Identity, Registrar } from './registrar.js';
import { Wakeup } from '../../os/wakeup.js';

/** How an agent's work ends. `gone` also stops the broker, `fenced` leaves it running. */
export type SessionEnd = 'gone' | 'fenced';

/** The shared state of the loops: the identity of the agent, and the reactions to refusals. */
export class AgentSession {
  private current: Identity | null = null;
  private isConfirmed = false;

  constructor(
    private readonly registrar: Registrar,
    private readonly log: JsonLog,
    private readonly onEnd: (end: SessionEnd) => void,
  ) {}

  /**
   * Registers if necessary, without a time limit. An agent that answers pings but never registers would look healthy to the
   * cloud driver. Returns false when it was aborted or the node is deleted.
   */
  async open(signal: AbortSignal): Promise<boolean> {
    const backoff = new Backoff();
    while (this.current === null && !signal.aborted) {
      try {
        this.current = await this.registrar.identity(signal);
      } catch (error) {
        await this.judge(error, backoff, signal);
      }
    }
    return this.current !== null;
  }

  /** The gateway accepted a call with the credential. */
  async confirm(): Promise<void> {
    if (this.isConfirmed) return;
    await this.registrar.forgetToken();
    this.isConfirmed = true;
  }

  get identity(): Identity {
    return this.current ?? { authorization: '', epoch: 0 };
  }

  /**
   * Waits after a failure, so that the caller can retry. Registers again when the credential is unknown. Two answers end the
   * session.
   */
  async judge(error: unknown, backoff: Backoff, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const refusal = error instanceof GatewayError ? error : null;
    const end = endOf(refusal);
    if (end !== null) return this.onEnd(end);
    const waitMs = backoff.next(refusal?.retryAfterMs);
    this.log.warn('gateway call failed', { reason: reasonOf(error), retry_ms: Math.round(waitMs) });
    await new Wakeup().sleep(waitMs, signal);
    if (refusal?.status === 401) await this.registerAgain(signal);
  }

  private async registerAgain(signal: AbortSignal): Promise<void> {
    try {
      this.current = (await this.registrar.register(signal)) ?? this.current;
    } catch {
      // Registering rejects only when the node is deleted.
      this.onEnd('gone');
    }
  }
}

function endOf(refusal: GatewayError | null): SessionEnd | null {
  if (refusal?.status === 410) return 'gone';
  return refusal?.status === 409 && refusal.code === 'stale_epoch' ? 'fenced' : null;
}
