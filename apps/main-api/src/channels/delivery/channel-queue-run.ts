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
/** Read, tried and written together. */
const BATCH = 200;
const HEAD_START_MS = 1_000;
/** Deliveries of one channel that are under way at once. */
const MOST_UNDER_WAY = 5;
const HOPELESS_DAYS = 5;

export type Senders = Record<OpenChannelQueue['channel'], ChannelSender>;

/** What a run ended with. */
export interface RunResult {
  /** The destination has taken nothing for days. */
  isHopeless: boolean;
}

/**
 * Delivers what is due by one channel, while this worker holds its lane. First attempts go out in the channel's order; what
 * failed before is tried again beside them, and holds none of them back. What came of it is written in batches: a worker that
 * dies in between leaves some that were delivered to be delivered again, with the same id.
 */
export class ChannelQueueRun {
  private readonly lost = new AbortController();
  private readonly signal: AbortSignal;
  private isTaking: boolean | null = null;
  private isHopeless = false;

  constructor(
    private readonly channelQueue: ChannelQueue,
    private readonly channelQueues: ChannelQueuesRepository,
    private readonly senders: Senders,
    stopping: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stopping, this.lost.signal]);
  }

  async run(): Promise<RunResult> {
    const renewal = setInterval(() => void this.renew(), RENEWAL_MS);
    try {
      const seen = await this.bothEnd([
        this.goThrough(() => this.channelQueues.first(this.channelQueue, BATCH), HEAD_START_MS),
        this.goThrough(() => this.channelQueues.again(this.channelQueue, BATCH), 0),
      ]);
      await this.letGo(seen);
    } finally {
      clearInterval(renewal);
      this.lost.abort();
    }
    return { isHopeless: this.isHopeless };
  }

  /** One that breaks ends the other, and nothing of the run is under way once it has rejected. */
  private async bothEnd<T>(ways: readonly Promise<T>[]): Promise<T[]> {
    for (const way of ways) way.catch(() => this.lost.abort());
    await Promise.allSettled(ways);
    return Promise.all(ways);
  }

  /** Until nothing is due any more; answers the signal that was seen before that was found. */
  private async goThrough(read: () => Promise<DueDelivery[]>, headStartMs: number): Promise<number | null> {
    for (;;) {
      const channel = await this.channelQueues.open(this.channelQueue);
      if (!channel || !channel.enabled) return null;
      const due = await read();
      if (due.length === 0 || this.signal.aborted) return channel.signalSeq;
      if (channel.consent === null)
        await this.channelQueues.suppress(
          this.channelQueue,
          due.map(({ id }) => id),
        );
      else await this.send(channel, due, headStartMs);
      // There was no more then; what has come since has changed the signal.
      if (due.length < BATCH) return channel.signalSeq;
    }
  }

  private async send(channel: OpenChannelQueue, due: readonly DueDelivery[], headStartMs: number): Promise<void> {
    const outcomes = new OutcomeWriter((some) => this.write(some));
    try {
      await inTurn(due, { headStartMs, most: MOST_UNDER_WAY, signal: this.signal }, async (delivery) => {
        const outcome = await this.attempt(channel, delivery);
        if (outcome) outcomes.add(outcome);
      });
    } finally {
      await outcomes.end();
    }
  }

  /** Null when it was given up before anything came of it. */
  private async attempt(channel: OpenChannelQueue, delivery: DueDelivery): Promise<DeliveryOutcome | null> {
    const startedAt = Date.now();
    try {
      const sent = await this.senders[channel.channel].send(channel, delivery, this.signal);
      return outcomeOf(delivery, sent, startedAt);
    } catch (error) {
      if (error instanceof SendingAborted) return null;
      throw error;
    }
  }

  private async write(outcomes: readonly DeliveryOutcome[]): Promise<void> {
    await this.channelQueues.write(this.channelQueue, outcomes);
    const isTaking = outcomes.some(({ isDelivered }) => isDelivered);
    if (isTaking && this.isTaking) return;
    this.isTaking = isTaking;
    this.isHopeless = await this.channelQueues.judge(this.channelQueue, isTaking, HOPELESS_DAYS);
  }

  private async letGo(seen: readonly (number | null)[]): Promise<void> {
    const known = seen.filter((signal) => signal !== null);
    // Off, gone or taken over, as one of the two has seen: the older sight decides whether something new may be missed.
    if (known.length < seen.length) await this.channelQueues.park(this.channelQueue);
    else await this.channelQueues.release(this.channelQueue, Math.min(...known));
  }

  private async renew(): Promise<void> {
    const isHeld = await this.channelQueues.renew(this.channelQueue, LEASE_SECONDS).catch(() => false);
    // Another worker may have it by the time a database that is away answers again; or it was switched off, or deleted.
    if (!isHeld) this.lost.abort();
  }
}

const outcomeOf = (delivery: DueDelivery, sent: Sent, startedAt: number): DeliveryOutcome => ({
  id: delivery.id,
  isDelivered: sent.error === null,
  pauseSeconds: retryPause(delivery.attempts + 1, sent.retryAfterSeconds),
  log: {
    at: new Date(startedAt).toISOString(),
    ms: Date.now() - startedAt,
    status: sent.status,
    error: sent.error,
    response: sent.response,
  },
});
