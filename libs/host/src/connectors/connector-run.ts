import type { ConnectorReport, NodeConnector } from '@libs/domain';
import { reasonOf } from '../os/json-log.js';
import { ConnectorFault } from './delivery/connector-fault.js';
import {
  logFields,
  type ConnectorContext,
  type ConnectorProgress,
  type ConnectorWork,
  type MovedCounts,
} from './connector-work.js';
import { movedCounts } from './instance-record.js';
import { aborted, pause } from './delivery/pause.js';
import { RetryPace } from './delivery/retry-pace.js';
import { StallWatch } from './stall-watch.js';

/** A connection that lasted this long resets the retry delay. */
const GOOD_MS = 10_000;

/**
 * Runs one instance. Retries, because the broker may be down, until it is stopped or a fault makes further attempts useless.
 */
export class ConnectorRun implements ConnectorProgress {
  private status: ConnectorReport['status'] = 'starting';
  private error: string | null = null;
  /** The last failure that no success has ended yet, and the last refusal of a message. */
  private failure: string | null = null;
  private problem: string | null = null;
  private readonly stall = new StallWatch();
  private counts: MovedCounts = { messages: 0, failed: 0 };
  private current: ConnectorWork | null = null;

  constructor(
    readonly connector: NodeConnector,
    private readonly context: ConnectorContext,
    /** The plugin is not on the node yet, so the instance cannot start. */
    private readonly isAbsent = false,
  ) {}

  get report(): ConnectorReport {
    const { instance_id, config } = this.connector;
    const { kept, dropped } = this.context.letters.counts(instance_id);
    const lag = this.current?.lag ?? 0;
    const stall = ['running', 'starting'].includes(this.status) ? this.stall.reason(lag, Date.now()) : null;
    const [status, error] = stall === null ? [this.status, this.error] : (['failed', stall] as const);
    return {
      ...{ instance_id, status, config_id: config.id, error, ...this.counts },
      ...{ lag, last_error: stall ?? this.failure ?? this.problem },
      ...{ dead_letters: kept, dead_letters_dropped: dropped },
    };
  }

  /**
   * Resolves after the signal aborted and the cleanup is done. Never rejects, because a failure must not affect other
   * instances.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { home } = this.context.access;
    this.counts = await movedCounts(home, this.connector.instance_id).catch(() => ({ messages: 0, failed: 0 }));
    if (!this.connector.config.values.enabled) return this.rest();
    if (this.isAbsent) return;
    try {
      await this.work(signal);
    } catch (error) {
      this.failed(reasonOf(error));
      await aborted(signal);
    }
    this.rest();
  }

  running(): void {
    if (this.status !== 'running') this.context.log.info('connector runs', logFields(this.connector));
    this.status = 'running';
    this.error = this.failure = null;
  }

  failed(reason: string): void {
    if (this.error !== reason) this.context.log.error('connector failed', { ...logFields(this.connector), reason });
    this.status = 'failed';
    this.error = this.failure = reason;
  }

  moved(counts: MovedCounts): void {
    const { messages, failed } = this.counts;
    if (counts.messages !== messages || counts.failed !== failed) this.stall.moved(Date.now());
    this.counts = counts;
  }

  noted(problem: string | null): void {
    this.problem = problem;
  }

  /** False: the instance does not run, or is a source. */
  replay(letters: readonly number[]): boolean {
    if (!this.current?.replay || this.status === 'stopped') return false;
    this.current.replay(letters);
    return true;
  }

  private async work(signal: AbortSignal): Promise<void> {
    const pace = new RetryPace();
    let work: ConnectorWork | null = null;
    try {
      while (!signal.aborted) {
        const begunAt = Date.now();
        work = await this.attempt(work, signal);
        if (Date.now() - begunAt > GOOD_MS) pace.reset();
        await pause(pace.nextMs(), signal);
      }
    } finally {
      this.current = null;
      await work?.close();
    }
  }

  /** Works over one connection. Returns the state for the next attempt. */
  private async attempt(prepared: ConnectorWork | null, signal: AbortSignal): Promise<ConnectorWork | null> {
    let work = prepared;
    try {
      work ??= await this.prepared();
      this.current = work;
      await work.work(signal);
      if (this.status === 'running') this.away('the connection to the broker has ended');
    } catch (error) {
      if (error instanceof ConnectorFault) throw error;
      // A failure in `prepare` is a problem of the node, such as a full disk. Any other failure means that the broker does not
      // answer.
      if (work === null) this.failed(reasonOf(error));
      else this.away(reasonOf(error));
    }
    return work;
  }

  /** The broker may be stopped or starting. This is not a failure of the connector. */
  private away(reason: string): void {
    if (this.error !== reason) this.context.log.warn('connector waits', { ...logFields(this.connector), reason });
    this.status = 'starting';
    this.error = reason;
  }

  private async prepared(): Promise<ConnectorWork> {
    const { connector, context } = this;
    // Loads only the class of this type, because a source needs no record of deliveries and a sink no source code.
    const work =
      connector.type === 'source'
        ? new (await import('./delivery/source-work.js')).SourceWork(connector, context, this)
        : new (await import('./delivery/sink-work.js')).SinkWork(connector, context, this);
    await work.prepare();
    return work;
  }

  private rest(): void {
    this.status = 'stopped';
    this.error = null;
  }
}
