import type {
  DeliveryOutcome,
  DueDelivery,
  ChannelQueue,
  ChannelQueuesRepository,
  OpenChannelQueue,
} from '@libs/persistence/channels';
import { SendingAborted, type ChannelSender, type Sent } from './channel-sender.js';
import { inTurn } from './in-turn.js';
import { OutcomeWriter } from './outcome-writer.js';
import { retryPause } from './retry-pause.js';

export const LEASE_SECONDS = 15;
const RENEWAL_MS = 5_000;
/** Deliveries that are read, attempted and written together. */
const BATCH = 200;
const HEAD_START_MS = 1_000;
/** Maximum concurrent deliveries of one channel. */
const MAX_CONCURRENT = 5;
const FAILING_DAYS = 5;

export type Senders = Record<OpenChannelQueue['channel'], ChannelSender>;

/** The result of a run. */
export interface RunResult {
  /** The destination has accepted no delivery for five days. */
  failedForFiveDays: boolean;
}

/**
 * Delivers the due deliveries of one channel while this worker has its lease. First attempts follow the channel's
 * order. Retries run concurrently and do not delay first attempts. Results are written in batches. After a crash of the
 * worker, some deliveries are repeated with the same id.
 */
export class ChannelQueueRun {
  private readonly leaseLost = new AbortController();
  private readonly signal: AbortSignal;
  /** Whether the record of the queue says that the destination accepts events. */
  private isAccepting: boolean;
  private failedForFiveDays = false;

  constructor(
    private readonly channelQueue: ChannelQueue,
    private readonly channelQueues: ChannelQueuesRepository,
    private readonly senders: Senders,
    stopping: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stopping, this.leaseLost.signal]);
    this.isAccepting = !channelQueue.isFailing;
  }

  async run(): Promise<RunResult> {
    const renewal = setInterval(() => void this.renew(), RENEWAL_MS);
    try {
      const signals = await this.settleBoth([
        this.deliverDue(() => this.channelQueues.firstUnscoped(this.channelQueue, BATCH), HEAD_START_MS),
        this.deliverDue(() => this.channelQueues.againUnscoped(this.channelQueue, BATCH), 0),
      ]);
      await this.releaseLease(signals);
    } finally {
      clearInterval(renewal);
      this.leaseLost.abort();
    }
    return { failedForFiveDays: this.failedForFiveDays };
  }

  /** A rejection of one aborts the other. The run rejects only when both have ended. */
  private async settleBoth<T>(deliveries: readonly Promise<T>[]): Promise<T[]> {
    for (const delivery of deliveries) delivery.catch(() => this.leaseLost.abort());
    await Promise.allSettled(deliveries);
    return Promise.all(deliveries);
  }

  /** Sends until nothing is due. Returns the signal that was read before the last check. */
  private async deliverDue(read: () => Promise<DueDelivery[]>, headStartMs: number): Promise<number | null> {
    for (;;) {
      const channel = await this.channelQueues.openUnscoped(this.channelQueue);
      if (!channel || !channel.enabled) return null;
      const due = await read();
      if (due.length === 0 || this.signal.aborted) return channel.signalSeq;
      if (channel.consent === null)
        await this.channelQueues.suppressUnscoped(
          this.channelQueue,
          due.map(({ id }) => id),
        );
      else await this.send(channel, due, headStartMs);
      // Nothing more was due at the read. Later deliveries have changed the signal.
      if (due.length < BATCH) return channel.signalSeq;
    }
  }

  private async send(channel: OpenChannelQueue, due: readonly DueDelivery[], headStartMs: number): Promise<void> {
    const outcomes = new OutcomeWriter((some) => this.write(some));
    try {
      await inTurn(due, { headStartMs, most: MAX_CONCURRENT, signal: this.signal }, async (delivery) => {
        const outcome = await this.attempt(channel, delivery);
        if (outcome) outcomes.add(outcome);
      });
    } finally {
      await outcomes.end();
    }
  }

  /** Returns null when the attempt was aborted before a result. */
  private async attempt(channel: OpenChannelQueue, delivery: DueDelivery): Promise<DeliveryOutcome | null> {
    const startedAt = Date.now();
    try {
      const result = await this.senders[channel.channel].send(channel, delivery, this.signal);
      return outcomeOf(delivery, result, startedAt);
    } catch (error) {
      if (error instanceof SendingAborted) return null;
      throw error;
    }
  }

  private async write(outcomes: readonly DeliveryOutcome[]): Promise<void> {
    await this.channelQueues.writeUnscoped(this.channelQueue, outcomes);
    const isAccepting = outcomes.some(({ isDelivered }) => isDelivered);
    if (isAccepting && this.isAccepting) return;
    this.isAccepting = isAccepting;
    this.failedForFiveDays = await this.channelQueues.recordHealth(this.channelQueue, isAccepting, FAILING_DAYS);
  }

  private async releaseLease(signals: readonly (number | null)[]): Promise<void> {
    const open = signals.filter((signal) => signal !== null);
    // Null: one of the two read that the channel is disabled, deleted or taken over. Otherwise the older signal decides whether
    // a new delivery may be missed.
    if (open.length < signals.length) await this.channelQueues.parkUnscoped(this.channelQueue);
    else await this.channelQueues.releaseUnscoped(this.channelQueue, Math.min(...open));
  }

  private async renew(): Promise<void> {
    const isHeld = await this.channelQueues.renewUnscoped(this.channelQueue, LEASE_SECONDS).catch(() => false);
    // Another worker may have the channel when an unavailable database answers again. Or the channel was disabled or
    // deleted.
    if (!isHeld) this.leaseLost.abort();
  }
}

const outcomeOf = (delivery: DueDelivery, result: Sent, startedAt: number): DeliveryOutcome => ({
  id: delivery.id,
  isDelivered: result.error === null,
  pauseSeconds: retryPause(delivery.attempts + 1, result.retryAfterSeconds),
  log: {
    at: new Date(startedAt).toISOString(),
    ms: Date.now() - startedAt,
    status: result.status,
    error: result.error,
    response: result.response,
  },
});
