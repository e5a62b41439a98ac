import type { GatewayLimits } from '../gateway-limits.js';
import { NodeRates } from '../node-rates.js';
import { tooFast } from '../refused.js';
import type { ArtifactReader } from './artifact-readers.js';

/** The limits of each credential: requests, transfers at once, and bytes. */
export class ArtifactTransfers {
  private readonly requests: NodeRates<ArtifactReader>;
  private readonly bytes: NodeRates<ArtifactReader>;
  private readonly running = new Map<ArtifactReader, number>();

  constructor(private readonly limits: Pick<GatewayLimits, 'reads' | 'artifactBytes' | 'artifactsAtOnce'>) {
    this.requests = new NodeRates(limits.reads);
    this.bytes = new NodeRates(limits.artifactBytes);
  }

  /** Counts a request. Throws Refused (429) with the seconds to wait. */
  ask(reader: ArtifactReader): void {
    const seconds = this.requests.take(reader, 1);
    if (seconds > 0) throw tooFast(seconds);
  }

  /** Counts a transfer until `end`, which takes the bytes that were sent. Throws Refused (429) with the seconds to wait. */
  begin(reader: ArtifactReader, bytes: number): { end(sentBytes: number): void } {
    const running = this.running.get(reader) ?? 0;
    if (running >= this.limits.artifactsAtOnce) throw tooFast();
    const seconds = this.bytes.take(reader, bytes);
    if (seconds > 0) throw tooFast(seconds);
    this.running.set(reader, running + 1);
    return { end: (sentBytes) => this.end(reader, bytes - sentBytes) };
  }

  private end(reader: ArtifactReader, unsent: number): void {
    this.bytes.giveBack(reader, Math.max(0, unsent));
    const running = (this.running.get(reader) ?? 1) - 1;
    if (running > 0) this.running.set(reader, running);
    else this.running.delete(reader);
  }
}
