import type { LogBatch } from '@libs/domain';
import { LOG_LIMITS } from '@libs/domain/agent-protocol';
import type { AgentSession } from '../gateway/agent-session.js';
import { GatewayError } from '../agent-error.js';
import { Backoff } from '../gateway/backoff.js';
import type { GatewayClient } from '../gateway/gateway-client.js';
import type { LogReader, ReadLines } from './log-reader.js';
import { Wakeup } from '../wakeup.js';

const LOOK_MS = 2_000;
/** Between two batches while more waits; the gateway takes two a second. */
const HURRY_MS = 700;
/** A batch is nearly full, so that more may wait. */
const FULL_LINES = LOG_LIMITS.lines - 1;

/**
 * Sends what the node's processes have printed. Where it has read to is remembered by the gateway, in the commit that
 * stores the lines: so nothing is lost or doubled, whoever of the two is killed, and a node keeps no file for it.
 */
export class LogLoop {
  private readonly backoff = new Backoff();
  private readonly pause = new Wakeup();
  /** Null until the gateway has told it. */
  private known: string | null = null;
  /** Read and not acknowledged. */
  private unsent: ReadLines | null = null;

  constructor(
    private readonly session: AgentSession,
    private readonly client: GatewayClient,
    private readonly reader: LogReader,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await this.step(signal).catch((error: unknown) => this.patience(error));
      await this.pause.sleep(waitMs, signal);
    }
  }

  /** One look and at most one batch; answers after how long to look again. */
  private async step(signal: AbortSignal): Promise<number> {
    // An empty batch asks where to go on.
    this.unsent ??= this.known === null ? { lines: [], cursor: this.reader.cursor } : await this.reader.next();
    const { lines, cursor } = this.unsent;
    if (cursor === this.known) {
      this.unsent = null;
      return LOOK_MS;
    }
    const stored = await this.send({ after: this.known, cursor, lines }, signal);
    this.backoff.reset();
    // Nobody has it: it is sent again.
    if (stored === null) return LOOK_MS;
    if (stored !== cursor) this.reader.seek(stored);
    this.known = stored;
    this.unsent = null;
    return lines.length >= FULL_LINES ? HURRY_MS : LOOK_MS;
  }

  private async send(batch: Omit<LogBatch, 'epoch'>, signal: AbortSignal): Promise<string | null> {
    const { authorization, epoch } = this.session.identity;
    return (await this.client.logs({ epoch, ...batch }, authorization, signal))?.cursor ?? null;
  }

  /** Who the agent is, and whether its node is gone, is the matter of the status; here everything is patience. */
  private patience(error: unknown): number {
    const refusal = error instanceof GatewayError ? error : null;
    // What this gateway will never take must not hold up what comes after it.
    if (refusal?.status === 400 && this.unsent) this.unsent = { ...this.unsent, lines: [] };
    return this.backoff.next(refusal?.retryAfterMs);
  }
}
