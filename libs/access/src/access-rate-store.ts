import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RateStore, type RateKind, type RateVerdict } from '@libs/http';
import { RateCountsRepository, type RateWindow } from '@libs/persistence/platform';

/** The number of requests of each kind that a caller may send per window. Null: no limit. */
export abstract class RateLimit {
  abstract readonly limits: Readonly<Record<RateKind, number | null>>;
  abstract readonly window: RateWindow;
}

const EXCHANGE_MS = 1000;
/**
 * The excess that all processes together may allow before they exchange counts: a fifth of the limit, divided by eight. For
 * small limits one request each. A process that has used its share queries the database before it refuses.
 */
const UNHEARD_SHARE = 0.2 / 8;

/** The state of one caller in one process. */
interface Tally {
  limit: number;
  /** Requests to all processes, as of the last exchange. */
  total: number;
  /** Requests that this process allowed after it. */
  pending: number;
  exchangedAt: number;
  resetSeconds: number;
}

/**
 * The rate limit over all processes, with one statement per second for all callers of a process. Each process allows a small
 * share of requests with its own state. It exchanges counts when the share is used or a second has passed.
 */
@Injectable()
export class AccessRateStore extends RateStore implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('RateLimit');
  private readonly tallies = new Map<string, Tally>();
  private readonly limits: RateLimit['limits'];
  private readonly window: RateWindow;
  private exchanging: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly counts: RateCountsRepository,
    { limits, window }: RateLimit,
  ) {
    super();
    this.limits = limits;
    this.window = window;
  }

  onApplicationBootstrap(): void {
    if (Object.values(this.limits).some((limit) => limit !== null))
      this.timer = setInterval(() => void this.tick(), EXCHANGE_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.exchanging?.catch(() => undefined);
  }

  async take(subject: string, kind: RateKind): Promise<RateVerdict | null> {
    const limit = this.limits[kind];
    if (limit === null) return null;
    const tally = this.tallyOf(subject, limit);
    // During the exchange other requests may use its result. So this checks the new state again.
    while (this.mustAsk(tally)) await this.exchange(subject);
    const isAllowed = tally.total + tally.pending < limit;
    if (isAllowed) tally.pending += 1;
    return {
      isAllowed,
      limit,
      windowSeconds: this.window.seconds,
      remaining: Math.max(0, limit - tally.total - tally.pending),
      resetSeconds: Math.max(1, Math.ceil(tally.resetSeconds)),
    };
  }

  private tallyOf(subject: string, limit: number): Tally {
    const fresh = { limit, total: 0, pending: 0, exchangedAt: 0, resetSeconds: this.window.seconds };
    const tally = this.tallies.get(subject) ?? fresh;
    this.tallies.set(subject, tally);
    return tally;
  }

  private mustAsk({ limit, total, pending, exchangedAt }: Tally): boolean {
    const isFull = total + pending >= limit;
    const isOld = performance.now() - exchangedAt >= EXCHANGE_MS;
    const isSpent = pending >= Math.max(1, Math.floor(limit * UNHEARD_SHARE));
    return isFull ? isOld || pending > 0 : isSpent;
  }

  private async tick(): Promise<void> {
    if (this.exchanging) return;
    await this.exchange(null).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'counts could not be exchanged, will be tried again');
    });
    const idle = performance.now() - this.window.seconds * 1000;
    for (const [subject, tally] of this.tallies)
      if (tally.pending === 0 && tally.exchangedAt < idle) this.tallies.delete(subject);
  }

  /** Exchanges the counts of all callers. Calls during a running exchange wait for it, and then for their own exchange. */
  private async exchange(subject: string | null): Promise<void> {
    if (this.exchanging) return this.exchanging;
    this.exchanging = this.send(subject).finally(() => {
      this.exchanging = null;
    });
    return this.exchanging;
  }

  private async send(requestedSubject: string | null): Promise<void> {
    const pendingCounts = new Map<string, number>();
    for (const [subject, { pending }] of this.tallies)
      if (pending > 0 || subject === requestedSubject) pendingCounts.set(subject, pending);
    if (pendingCounts.size === 0) return;
    for (const { subject, total, reset_seconds } of await this.counts.exchange(pendingCounts, this.window)) {
      const tally = this.tallies.get(subject);
      if (!tally) continue;
      tally.total = total;
      tally.pending -= pendingCounts.get(subject) ?? 0;
      tally.exchangedAt = performance.now();
      tally.resetSeconds = reset_seconds;
    }
  }
}
