import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { RateStore, type RateKind, type RateVerdict } from '@libs/http';
import { Database } from '@libs/persistence';
import { RateCountsRepository, type RateWindow } from '@libs/persistence/platform';

/** How many requests of each kind one caller may make in a window; null: as many as it likes. */
export abstract class RateLimit {
  abstract readonly limits: Readonly<Record<RateKind, number | null>>;
  abstract readonly window: RateWindow;
}

const EXCHANGE_MS = 1000;
/**
 * What all processes together may let through beyond the limit before they hear of each other: a fifth of it, shared by
 * eight; of a limit that small, one each. A process that has spent its part asks the database first instead of refusing.
 */
const UNHEARD_SHARE = 0.2 / 8;

/** What one process knows of one caller. */
interface Tally {
  limit: number;
  /** Of all processes, as of the last exchange. */
  total: number;
  /** Let through here since. */
  pending: number;
  exchangedAt: number;
  resetSeconds: number;
}

/**
 * The rate limit of all processes together, with one statement a second for all callers of a process. Each process lets
 * its own few tokens through by what it knows, and exchanges counts when they are spent or a second has passed.
 */
@Injectable()
export class AccessRateStore extends RateStore implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('RateLimit');
  private readonly counts: RateCountsRepository;
  private readonly tallies = new Map<string, Tally>();
  private readonly limits: RateLimit['limits'];
  private readonly windowSeconds: number;
  private exchanging: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(database: Database, { limits, window }: RateLimit) {
    super();
    this.limits = limits;
    this.windowSeconds = window.seconds;
    this.counts = new RateCountsRepository(database, window);
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
    // While one waits for the exchange others may spend what it brings: look again, with what is known then.
    while (this.mustAsk(tally)) await this.exchange(subject);
    const isAllowed = tally.total + tally.pending < limit;
    if (isAllowed) tally.pending += 1;
    return {
      isAllowed,
      limit,
      windowSeconds: this.windowSeconds,
      remaining: Math.max(0, limit - tally.total - tally.pending),
      resetSeconds: Math.max(1, Math.ceil(tally.resetSeconds)),
    };
  }

  private tallyOf(subject: string, limit: number): Tally {
    const fresh = { limit, total: 0, pending: 0, exchangedAt: 0, resetSeconds: this.windowSeconds };
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
    const idle = performance.now() - this.windowSeconds * 1000;
    for (const [subject, tally] of this.tallies)
      if (tally.pending === 0 && tally.exchangedAt < idle) this.tallies.delete(subject);
  }

  /** Exchanges for all callers; who comes while one is on its way waits for it, and then for one of its own. */
  private async exchange(subject: string | null): Promise<void> {
    if (this.exchanging) return this.exchanging;
    this.exchanging = this.send(subject).finally(() => {
      this.exchanging = null;
    });
    return this.exchanging;
  }

  private async send(asked: string | null): Promise<void> {
    const sent = new Map<string, number>();
    for (const [subject, { pending }] of this.tallies) if (pending > 0 || subject === asked) sent.set(subject, pending);
    if (sent.size === 0) return;
    for (const { subject, total, reset_seconds } of await this.counts.exchange(sent)) {
      const tally = this.tallies.get(subject);
      if (!tally) continue;
      tally.total = total;
      tally.pending -= sent.get(subject) ?? 0;
      tally.exchangedAt = performance.now();
      tally.resetSeconds = reset_seconds;
    }
  }
}
