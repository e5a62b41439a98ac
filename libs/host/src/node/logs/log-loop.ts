import type { LogBatch } from '@libs/domain';
import { LOG_LIMITS } from '@libs/domain/agent-protocol';
import type { AgentSession } from '../gateway/agent-session.js';
import { GatewayError } from '../agent-error.js';
import { Backoff } from '../gateway/backoff.js';
import type { GatewayClient } from '../gateway/gateway-client.js';
import type { LogReader, ReadLines } from './log-reader.js';
import { Wakeup } from '../../os/wakeup.js';

const LOOK_MS = 2_000;
/** Delay between two batches while more lines wait. The gateway accepts two batches a second. */
const HURRY_MS = 700;
/** A batch with this many lines is nearly full, so more lines may wait. */
const FULL_LINES = LOG_LIMITS.lines - 1;

/**
 * Sends the output of the node's processes. The gateway stores the read position in the commit that stores the lines. So no
 * line is lost or doubled when either side is killed, and a node needs no file for it.
 */
export class LogLoop {
  private readonly backoff = new Backoff();
  private readonly pause = new Wakeup();
  /** Null until the gateway has returned it. */
  private known: string | null = null;
  /** Read but not acknowledged. */
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

  /** One read and at most one batch. Returns the time until the next step. */
  private async step(signal: AbortSignal): Promise<number> {
    // An empty batch queries the stored cursor.
    this.unsent ??= this.known === null ? { lines: [], cursor: this.reader.cursor } : await this.reader.next();
    const { lines, cursor } = this.unsent;
    if (cursor === this.known) {
      this.unsent = null;
      return LOOK_MS;
    }
    const stored = await this.send({ after: this.known, cursor, lines }, signal);
    this.backoff.reset();
    // The gateway did not store the batch, so it is sent again.
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

  /** Retries with a delay. The status loop handles a wrong identity and a deleted node. */
  private patience(error: unknown): number {
    const refusal = error instanceof GatewayError ? error : null;
    // Lines that the gateway always refuses must not block later lines.
    if (refusal?.status === 400 && this.unsent) this.unsent = { ...this.unsent, lines: [] };
    return this.backoff.next(refusal?.retryAfterMs);
  }
}
