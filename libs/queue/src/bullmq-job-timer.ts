import { Queue, Worker, type ConnectionOptions } from 'bullmq';
import { JobTimer, type JobTick } from './job-timer.js';

/** A ring is kept nowhere once answered. */
const TEMPLATE = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;
const WORKER = { concurrency: 1, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } } as const;

/**
 * Rings by BullMQ's job schedulers, each of which makes one job a period for all processes together. The job says only
 * that something is due and ends at once: no run holds a lock of the queue, and none that fails or takes long can break
 * the chain by which a scheduler makes its next job.
 */
export class BullmqJobTimer extends JobTimer {
  readonly wakeUps = true;
  private queue: Queue | undefined;
  private worker: Worker | undefined;
  private isStopping = false;

  constructor(
    private readonly connection: ConnectionOptions,
    private readonly failed: (error: unknown) => void,
  ) {
    super();
  }

  start(name: string, beats: readonly JobTick[], wokenUp: (name: string) => void): void {
    const { connection } = this;
    this.queue = new Queue(name, { connection });
    this.queue.on('error', this.tell);
    this.worker = new Worker(name, async (job) => this.pass(job.name, wokenUp), { connection, ...WORKER });
    this.worker.on('error', this.tell);
    void this.agree(this.queue, beats);
  }

  stop(): void {
    this.isStopping = true;
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all([this.worker?.close(), this.queue?.close()]);
  }

  /** What a process that stops is rung for, others find by looking. */
  private pass(name: string, wokenUp: (name: string) => void): void {
    if (!this.isStopping) wokenUp(name);
  }

  /**
   * The queue remembers schedulers for ever, so those that the code knows no more are taken out; a release that runs
   * beside this one may lose one of its own by that, and then looks by itself. Those that are known are made again even
   * where they exist: one whose last job was lost with the process that had it begins anew by that.
   */
  private async agree(queue: Queue, beats: readonly JobTick[]): Promise<void> {
    try {
      const known = new Set(beats.map(({ name }) => name));
      for (const { key } of await queue.getJobSchedulers()) if (!known.has(key)) await queue.removeJobScheduler(key);
    } catch (error) {
      this.tell(error);
    }
    for (const { name, everyMs } of beats)
      await queue.upsertJobScheduler(name, { every: everyMs }, { name, opts: TEMPLATE }).catch(this.tell);
  }

  /** What a connection says while it is being closed is not worth a line. */
  private readonly tell = (error: unknown): void => {
    if (!this.isStopping) this.failed(error);
  };
}
