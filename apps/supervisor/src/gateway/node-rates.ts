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

/** Counts the requests of each node, and limits their rate. One object for each kind of request. */
export class NodeRates {
  private readonly buckets = new Map<NodeId, Bucket>();

  constructor(private readonly rate: NodeRate) {}

  /** Whether the node is within its rate. Counts the request if so. */
  admits(nodeId: NodeId, nowMs = Date.now()): boolean {
    const tokens = this.filled(this.buckets.get(nodeId), nowMs);
    this.buckets.delete(nodeId);
    this.buckets.set(nodeId, { tokens: tokens >= 1 ? tokens - 1 : tokens, filledAtMs: nowMs });
    if (this.buckets.size > REMEMBERED_NODES) this.forgetOldest();
    return tokens >= 1;
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
