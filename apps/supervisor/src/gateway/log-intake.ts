import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Catalog } from '@libs/catalog';
import type { NodeId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { NodeLogsRepository, type NodeLogBatch, type StoredBatch } from '@libs/persistence/runtime';
import { NodeNotices } from './node-notices.js';
import { invalid } from './refused.js';
import { writeApart } from './write-apart.js';

/** Batches that arrive within this time are stored together. */
const GATHER_MS = 100;
/** Maximum lines of one statement. The next statement stores the others. */
const LINES_A_FLUSH = 20_000;

interface Waiting {
  batch: NodeLogBatch;
  settle: { resolve: (cursor: string | null) => void; reject: (error: unknown) => void };
}

/**
 * Stores batches of log lines of all nodes together, and answers each when it is stored. A batch that cannot be stored
 * is refused alone. Lines above the daily limit of a node are dropped.
 */
@Injectable()
export class LogIntake implements OnApplicationShutdown {
  private readonly logger = new Logger('LogIntake');
  private readonly dailyBytes: Record<string, number>;
  /** One batch per node: an agent waits for its answer, so a second batch is a repetition and replaces the first. */
  private waiting = new Map<NodeId, Waiting>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly logs: NodeLogsRepository,
    private readonly notices: NodeNotices,
    catalog: Catalog,
  ) {
    this.dailyBytes = catalog.dailyLogBytesByPlan();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.flushing;
    await this.flush();
  }

  /** Resolves when the batch is stored or was stored before, to the cursor up to which the node's lines are stored. */
  async take(batch: NodeLogBatch): Promise<string | null> {
    return new Promise((resolve, reject) => {
      // The replaced batch is answered like a batch with another start: its sender has disconnected, or repeats the
      // request.
      this.waiting.get(batch.nodeId)?.settle.resolve(null);
      this.waiting.set(batch.nodeId, { batch, settle: { resolve, reject } });
      this.schedule();
    });
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flushing = this.flushing.then(() => this.flush());
    }, GATHER_MS);
  }

  private async flush(): Promise<void> {
    const batches = this.takeWaiting();
    if (batches.length === 0) return;
    try {
      const stored: StoredBatch[] = [];
      const bad = await writeApart(batches, async (part) => void stored.push(...(await this.store(part))));
      for (const { item } of bad) item.settle.reject(invalid());
      const cursors = new Map(stored.map(({ nodeId, cursor }) => [nodeId, cursor]));
      for (const { batch, settle } of batches) settle.resolve(cursors.get(batch.nodeId) ?? null);
      for (const { item, error } of bad) await this.notices.reportDropped(item.batch.nodeId, 'log_batch', error);
      for (const batch of stored) await this.tellLeftOut(batch);
    } catch (error) {
      this.logger.warn(
        { err: error, nodes: batches.length },
        'log lines were not stored, their agents send them again',
      );
      for (const { settle } of batches) settle.reject(error);
    }
    if (this.waiting.size > 0) this.schedule();
  }

  private store(part: readonly Waiting[]): Promise<StoredBatch[]> {
    const batches = part.map(({ batch }) => batch);
    return this.database.transaction(() => this.logs.storeUnscoped(batches, this.dailyBytes));
  }

  private async tellLeftOut({ nodeId, leftOut, limitBytes, leftOutBefore, dayBefore }: StoredBatch): Promise<void> {
    if (leftOut > 0) await this.notices.linesLeftOut(nodeId, leftOut, limitBytes);
    if (leftOutBefore > 0) await this.notices.linesWereLeftOut(nodeId, leftOutBefore, dayBefore);
  }

  private takeWaiting(): Waiting[] {
    const batches: Waiting[] = [];
    let lines = 0;
    for (const [nodeId, waiting] of this.waiting) {
      if (batches.length > 0 && lines + waiting.batch.lines.length > LINES_A_FLUSH) break;
      lines += waiting.batch.lines.length;
      batches.push(waiting);
      this.waiting.delete(nodeId);
    }
    return batches;
  }
}
