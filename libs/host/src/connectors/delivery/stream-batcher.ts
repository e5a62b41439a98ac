import type { ConnectorTopic } from '../connector-topics.js';
import { Arrivals } from './arrivals.js';
import type { Arrival } from './session.js';
import { pause } from './pause.js';

/**
 * Bytes of waiting messages after which the connection is not read. Much more than what a broker has under way, because answers of
 * the broker wait behind its messages.
 */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** Memory of a message besides its payload. */
const OVERHEAD_BYTES = 512;

/** The messages of one stream of a sink on one connection, in batches of its own length and interval. */
export class StreamBatcher {
  private readonly arrivals = new Arrivals(MAX_WAITING_BYTES, ({ payload }) => payload.length + OVERHEAD_BYTES);
  /** The batch in work. */
  readonly batch: Arrival[] = [];

  constructor(private readonly stream: Pick<ConnectorTopic, 'batchLength' | 'pollMs'>) {}

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
