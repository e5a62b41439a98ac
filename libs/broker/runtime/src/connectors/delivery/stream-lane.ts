import type { ConnectorTopic } from '../connector-topics.js';
import { Arrivals } from './arrivals.js';
import type { Arrival } from './session.js';
import { pause } from './pause.js';

/** Maximum number of waiting messages, in batches. The broker keeps the rest. */
const BATCHES_WAITING = 2;

/** The messages of one stream of a sink on one connection, in batches of its own length and interval. */
export class StreamLane {
  private readonly arrivals: Arrivals;
  /** The batch in work. */
  readonly batch: Arrival[] = [];

  constructor(private readonly stream: Pick<ConnectorTopic, 'batchLength' | 'pollMs'>) {
    this.arrivals = new Arrivals(stream.batchLength * BATCHES_WAITING);
  }

  /** Messages that are received and not delivered. */
  get waiting(): number {
    return this.arrivals.size + this.batch.length;
  }

  add(arrival: Arrival): Promise<void> {
    return this.arrivals.add(arrival);
  }

  /** Waits for a message, then a short time for more of them, and fills `batch`. */
  async gather(signal: AbortSignal): Promise<void> {
    await this.arrivals.some();
    const { pollMs, batchLength } = this.stream;
    if (pollMs > 0 && this.arrivals.size < batchLength) await pause(pollMs, signal);
    this.batch.push(...this.arrivals.take(batchLength - this.batch.length));
  }

  /** Ends all waiting. */
  close(): void {
    this.arrivals.close();
  }
}
