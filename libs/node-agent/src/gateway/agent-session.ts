import { reasonOf, type JsonLog } from '@libs/broker/runtime';
import { GatewayError } from '../agent-error.js';
import { Backoff } from './backoff.js';
import type { Identity, Registrar } from './registrar.js';
import { Wakeup } from '../wakeup.js';

/** How an agent's work ends: `gone` takes the broker along, `fenced` leaves it alone. */
export type SessionEnd = 'gone' | 'fenced';

/** What both loops share: who the agent is, and what a refusal means. */
export class AgentSession {
  private current: Identity | null = null;
  private isConfirmed = false;

  constructor(
    private readonly registrar: Registrar,
    private readonly log: JsonLog,
    private readonly onEnd: (end: SessionEnd) => void,
  ) {}

  /**
   * Registers if need be, however long it takes: an agent that lives and never registers would be taken for a good one by
   * whoever asks whether it answers. False when it was aborted or the node is gone.
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

  /** A call with the credential was taken. */
  async confirm(): Promise<void> {
    if (this.isConfirmed) return;
    this.isConfirmed = true;
    await this.registrar.forgetToken();
  }

  get identity(): Identity {
    return this.current ?? { authorization: '', epoch: 0 };
  }

  /**
   * Waits as long as the failure demands, so that the caller may try again: a credential that is not known is
   * registered anew, everything else is a matter of patience, except for the two answers that end the session.
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
      // Registering rejects for one reason only: the node is gone.
      this.onEnd('gone');
    }
  }
}

function endOf(refusal: GatewayError | null): SessionEnd | null {
  if (refusal?.status === 410) return 'gone';
  return refusal?.status === 409 && refusal.code === 'stale_epoch' ? 'fenced' : null;
}
