import type { NodeId } from '@libs/domain';

/** Maximum nodes in memory. The node with the oldest request is removed first. */
const REMEMBERED_NODES = 20_000;

/** The rate of a node: a sustained rate per second, and a burst. */
export interface NodeRate {
  aSecond: number;
  atOnce: number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Counts the requests of each node, or their bytes, and limits their rate. One object for each kind of request. */
export class NodeRates<Key = NodeId> {
  private readonly buckets = new Map<Key, Bucket>();

  constructor(private readonly rate: NodeRate) {}

  /** Whether the node is within its rate. Counts the request if so. */
  admits(key: Key, nowMs = Date.now()): boolean {
    return this.take(key, 1, nowMs) === 0;
  }

  /**
   * Counts `cost` and returns 0, or counts nothing and returns the seconds until this cost is within the rate. A cost above the
   * burst counts as the whole burst.
   */
  take(key: Key, cost: number, nowMs = Date.now()): number {
    const needed = Math.min(cost, this.rate.atOnce);
    const tokens = this.filled(this.buckets.get(key), nowMs);
    const isWithin = tokens >= needed;
    this.keep(key, { tokens: isWithin ? tokens - needed : tokens, filledAtMs: nowMs });
    return isWithin ? 0 : (needed - tokens) / this.rate.aSecond;
  }

  /** Takes back a part of a counted cost that was not used. */
  giveBack(key: Key, cost: number, nowMs = Date.now()): void {
    const tokens = this.filled(this.buckets.get(key), nowMs);
    this.keep(key, { tokens: Math.min(this.rate.atOnce, tokens + cost), filledAtMs: nowMs });
  }

  private keep(key: Key, bucket: Bucket): void {
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    if (this.buckets.size > REMEMBERED_NODES) this.forgetOldest();
  }

  private filled(bucket: Bucket | undefined, nowMs: number): number {
    const { aSecond, atOnce } = this.rate;
    if (!bucket) return atOnce;
    // A clock that was set back adds no tokens.
    const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
    return Math.min(atOnce, bucket.tokens + (elapsedMs / 1000) * aSecond);
  }

  private forgetOldest(): void {
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
