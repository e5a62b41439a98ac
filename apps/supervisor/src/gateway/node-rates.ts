/** Nodes that are remembered; the one that was heard of first is forgotten first. */
const REMEMBERED_NODES = 20_000;

/** What a node may do: so many each second for long, and so many at once. */
export interface NodeRate {
  aSecond: number;
  atOnce: number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Counts what each node does, and says when a node is too fast. One object for each kind of request. */
export class NodeRates {
  private readonly buckets = new Map<number, Bucket>();

  constructor(private readonly rate: NodeRate) {}

  /** Whether the node keeps to its rate; counts the request when it does. */
  admits(nodeId: number, nowMs = Date.now()): boolean {
    const tokens = this.filled(this.buckets.get(nodeId), nowMs);
    this.buckets.delete(nodeId);
    this.buckets.set(nodeId, { tokens: tokens >= 1 ? tokens - 1 : tokens, filledAtMs: nowMs });
    if (this.buckets.size > REMEMBERED_NODES) this.forgetOldest();
    return tokens >= 1;
  }

  private filled(bucket: Bucket | undefined, nowMs: number): number {
    const { aSecond, atOnce } = this.rate;
    if (!bucket) return atOnce;
    // A clock that was set back fills nothing.
    const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
    return Math.min(atOnce, bucket.tokens + (elapsedMs / 1000) * aSecond);
  }

  private forgetOldest(): void {
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
