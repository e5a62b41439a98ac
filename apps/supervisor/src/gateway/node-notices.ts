import { Injectable, Logger } from '@nestjs/common';
import { Metrics } from '@libs/http';
import { Database } from '@libs/persistence';
import { NodeLogsRepository } from '@libs/persistence/runtime';

/** Notices of today that are remembered, so that the database is not asked about each one again. */
const REMEMBERED_NOTICES = 20_000;

/** What a node sent and the gateway did not keep. */
export type Dropped = 'status' | 'sample' | 'log_batch' | 'log_line';

/**
 * Tells the owners of a deployment what of its nodes was not kept: as a line in the logs of the deployment, each notice once
 * a day (UTC), however many processes see the reason. Everything that is dropped is counted for the operator.
 */
@Injectable()
export class NodeNotices {
  private readonly logger = new Logger('NodeNotices');
  private readonly logs: NodeLogsRepository;
  private readonly told = new Set<string>();
  private readonly count: (labels: { what: Dropped }, more?: number) => void;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    this.logs = new NodeLogsRepository(database);
    this.count = metrics.counter(
      'landlord_gateway_dropped_total',
      'What nodes sent and the gateway did not keep: reports and batches with values that cannot be stored, lines above the limit of a day.',
      ['what'],
    );
  }

  /** A report, or a batch, whose values the database refuses. Never rejects. */
  async reportDropped(nodeId: number, what: Exclude<Dropped, 'log_line'>, error: unknown): Promise<void> {
    this.count({ what });
    const noun = { status: 'status report', sample: 'sample', log_batch: 'batch of log lines' }[what];
    const isFirst = await this.tell(
      nodeId,
      `A ${noun} of this node was dropped: a value in the ${noun} cannot be stored.`,
    );
    if (isFirst) this.logger.warn({ err: error, node: nodeId, what }, 'what a node sent cannot be stored');
  }

  /** Lines above what the plan of the deployment includes for a node and day. Never rejects. */
  async linesLeftOut(nodeId: number, lines: number, limitBytes: number): Promise<void> {
    this.count({ what: 'log_line' }, lines);
    const limit = `${Math.round(limitBytes / 1024 / 1024)} MiB`;
    await this.tell(
      nodeId,
      `Log lines of this node are left out until 00:00 UTC: the node sent ${limit}, the limit of a day.`,
    );
  }

  /** How many lines the limit has cost on a day that is over. Never rejects. */
  async linesWereLeftOut(nodeId: number, lines: number, day: string): Promise<void> {
    await this.tell(
      nodeId,
      `${lines} log lines of this node were left out on ${day}: they were above the limit of a day.`,
    );
  }

  /** Answers whether this call was the first of the day. */
  private async tell(nodeId: number, message: string): Promise<boolean> {
    const key = `${new Date().toISOString().slice(0, 10)} ${nodeId} ${message}`;
    if (this.told.has(key)) return false;
    if (this.told.size >= REMEMBERED_NOTICES) this.told.clear();
    this.told.add(key);
    try {
      return await this.database.transaction(() => this.logs.note(nodeId, message));
    } catch (error) {
      this.told.delete(key);
      this.logger.warn({ err: error, node: nodeId }, 'a notice was not stored, the next one may be');
      return false;
    }
  }
}
