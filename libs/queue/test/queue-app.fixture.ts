import { eventually } from '@libs/testing';
import { Worker, type ConnectionOptions } from 'bullmq';
import { BullmqJobTimer } from '../src/bullmq-job-timer.js';
import { BullmqWakeUpQueue } from '../src/bullmq-wake-up-queue.js';

/** A worker, a queue and a timer, as an app has them. */
export class QueueApp {
  readonly errors: unknown[] = [];
  private readonly jobs: unknown[] = [];
  private readonly ticks: string[] = [];
  private readonly worker: Worker;
  private readonly wakeUps: BullmqWakeUpQueue;
  private readonly timer: BullmqJobTimer;

  constructor(
    connection: ConnectionOptions,
    private readonly name: string,
  ) {
    const tell = (error: unknown): void => void this.errors.push(error);
    this.worker = new Worker(name, async ({ data }) => void this.jobs.push(data), { connection, drainDelay: 1 });
    this.worker.on('error', tell);
    this.wakeUps = new BullmqWakeUpQueue(connection, tell);
    this.timer = new BullmqJobTimer(connection, tell);
    this.timer.start(`${name}-timer`, [{ name: 'tick', everyMs: 500 }], (tick) => void this.ticks.push(tick));
    this.wakeUps.wakeUp(name, 1);
  }

  /** A wake-up reaches the worker, and the timer ticks. */
  async works(): Promise<void> {
    const [jobs, ticks] = [this.jobs.length, this.ticks.length];
    const isAtWork = (): boolean => this.jobs.length > jobs && this.ticks.length > ticks;
    await eventually(
      'wake-ups and ticks arrive within ten seconds of the database',
      () => {
        if (this.jobs.length === jobs) this.wakeUps.wakeUp(this.name, 1);
        return isAtWork();
      },
      10_000,
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.worker.close(), this.wakeUps.close(), this.timer.close()]);
  }
}
