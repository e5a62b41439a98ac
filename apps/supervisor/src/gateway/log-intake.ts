import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@libs/persistence';
import { NodeLogsRepository, type NodeLogBatch } from '@libs/persistence/runtime';

/** Batches that come within so long are stored together. */
const GATHER_MS = 100;
/** Stored by one statement; the others come next. */
const LINES_A_FLUSH = 20_000;
/** A node that sends batches faster than this is put off. */
const BATCHES_A_SECOND = 2;
/** The clocks of nodes that sent nothing for so long are forgotten. */
const REMEMBERED_NODES = 20_000;

interface Waiting {
  batch: NodeLogBatch;
  settle: { resolve: (cursor: string | null) => void; reject: (error: unknown) => void };
}

/** Stores batches of log lines, those of all nodes together, and answers each when it is stored. */
@Injectable()
export class LogIntake implements OnApplicationShutdown {
  private readonly logger = new Logger('LogIntake');
  private readonly logs: NodeLogsRepository;
  /** One a node: an agent waits for its answer, so a second one is a repetition and takes the place of the first. */
  private waiting = new Map<number, Waiting>();
  private readonly mayComeAt = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;
  private flushing: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {
    this.logs = new NodeLogsRepository(database);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.flushing;
    await this.flush();
  }

  /** Whether the node keeps to its rate. */
  admits(nodeId: number): boolean {
    const now = Date.now();
    const mayComeAt = this.mayComeAt.get(nodeId) ?? 0;
    if (now < mayComeAt) return false;
    if (this.mayComeAt.size >= REMEMBERED_NODES) this.mayComeAt.clear();
    this.mayComeAt.set(nodeId, now + 1000 / BATCHES_A_SECOND);
    return true;
  }

  /** Resolves, when the batch is stored or was before, to the cursor that the node's lines are stored up to. */
  async take(batch: NodeLogBatch): Promise<string | null> {
    return new Promise((resolve, reject) => {
      // The one that is pushed out is answered as one that begins elsewhere: its sender has gone, or asks again.
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
    const taken = this.takeWaiting();
    if (taken.length === 0) return;
    try {
      const batches = taken.map(({ batch }) => batch);
      const cursors = await this.database.transaction(() => this.logs.store(batches));
      for (const { batch, settle } of taken) settle.resolve(cursors.get(batch.nodeId) ?? null);
    } catch (error) {
      this.logger.warn({ err: error, nodes: taken.length }, 'log lines were not stored, their agents send them again');
      for (const { settle } of taken) settle.reject(error);
    }
    if (this.waiting.size > 0) this.schedule();
  }

  private takeWaiting(): Waiting[] {
    const taken: Waiting[] = [];
    let lines = 0;
    for (const [nodeId, waiting] of this.waiting) {
      if (taken.length > 0 && lines + waiting.batch.lines.length > LINES_A_FLUSH) break;
      lines += waiting.batch.lines.length;
      taken.push(waiting);
      this.waiting.delete(nodeId);
    }
    return taken;
  }
}
