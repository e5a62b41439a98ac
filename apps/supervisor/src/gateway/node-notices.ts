import { Injectable, Logger } from '@nestjs/common';
import type { NodeId } from '@libs/domain';
import { Metrics } from '@libs/http';
import { Database } from '@libs/persistence';
import { NodeLogsRepository } from '@libs/persistence/runtime';

/** Maximum cached notices of the day. The cache saves a query for each repeated notice. */
const REMEMBERED_NOTICES = 20_000;

/** Data that a node sent and the gateway dropped. */
export type Dropped = 'status' | 'sample' | 'log_batch' | 'log_line';

/**
 * Reports dropped data of nodes to the owners of a deployment, as a line in the logs of the deployment. Each notice
 * appears once a day (UTC), also with several processes. Everything dropped is counted for the operator.
 */
@Injectable()
export class NodeNotices {
  private readonly logger = new Logger('NodeNotices');
  private readonly announced = new Set<string>();
  private readonly count: (labels: { what: Dropped }, more?: number) => void;

  constructor(
    private readonly database: Database,
    private readonly logs: NodeLogsRepository,
    metrics: Metrics,
  ) {
    this.count = metrics.counter(
      'landlord_gateway_dropped_total',
      'Data of nodes that the gateway dropped: reports and batches with values that cannot be stored, and lines above the limit of a day.',
      ['what'],
    );
  }

  /** Reports a status or a batch with values that the database refuses. Never rejects. */
  async reportDropped(nodeId: NodeId, what: Exclude<Dropped, 'log_line'>, error: unknown): Promise<void> {
    this.count({ what });
    const noun = { status: 'status report', sample: 'sample', log_batch: 'batch of log lines' }[what];
    const isFirst = await this.tell(
      nodeId,
      `A ${noun} of this node was dropped. Landlord cannot store a value in the ${noun}.`,
    );
    if (isFirst) this.logger.warn({ err: error, node: nodeId, what }, 'data of a node cannot be stored');
  }

  /** Reports lines above the daily limit per node in the plan of the deployment. Never rejects. */
  async linesLeftOut(nodeId: NodeId, lines: number, limitBytes: number): Promise<void> {
    this.count({ what: 'log_line' }, lines);
    const limit = `${Math.round(limitBytes / 1024 / 1024)} MiB`;
    await this.tell(
      nodeId,
      `Landlord drops log lines of this node until 00:00 UTC. The node has sent ${limit}, the limit of a day.`,
    );
  }

  /** Reports how many lines were dropped on a past day. Never rejects. */
  async linesWereLeftOut(nodeId: NodeId, lines: number, day: string): Promise<void> {
    await this.tell(
      nodeId,
      `${lines} log lines of this node were dropped on ${day}. They exceeded the limit of a day.`,
    );
  }

  /** Returns whether this call was the first of the day. */
  private async tell(nodeId: NodeId, message: string): Promise<boolean> {
    const key = `${new Date().toISOString().slice(0, 10)} ${nodeId} ${message}`;
    if (this.announced.has(key)) return false;
    if (this.announced.size >= REMEMBERED_NOTICES) this.announced.clear();
    this.announced.add(key);
    try {
      return await this.database.transaction(() => this.logs.note(nodeId, message));
    } catch (error) {
      this.announced.delete(key);
      this.logger.warn({ err: error, node: nodeId }, 'a notice was not stored, the next one may be');
      return false;
    }
  }
}
