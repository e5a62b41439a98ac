import { Queue, type ConnectionOptions } from 'bullmq';
import type { OperationId } from '@libs/domain';
import { WakeUpQueue, type WakeUpJob } from './wake-up-queue.js';

interface WakeUp {
  queue: string;
  operationId: OperationId;
  delayMs: number;
}

type Job = Parameters<Queue['addBulk']>[0][number];

/** Wake-ups of one job: a job costs several transactions. More would leave other processes without work. */
const MOST_IN_JOB = 10;

/** Finished jobs are not kept: the row contains the state. */
const JOB = { attempts: 1, removeOnComplete: true, removeOnFail: true } as const;

/**
 * Sends wake-ups with BullMQ. The wake-ups of one iteration of the event loop are sent together, with one addBulk for
 * each queue. Wake-ups without a delay share jobs.
 */
export class BullmqWakeUpQueue extends WakeUpQueue {
  private readonly queues = new Map<string, Queue>();
  private waiting: WakeUp[] = [];

  constructor(
    private readonly connection: ConnectionOptions,
    private readonly failed: (error: unknown) => void,
  ) {
    super();
  }

  wakeUp(queue: string, operationId: OperationId, delayMs = 0): void {
    // PostgreSQL stores whole milliseconds and refuses a job with a fraction.
    this.waiting.push({ queue, operationId, delayMs: Math.ceil(delayMs) });
    if (this.waiting.length === 1) setImmediate(() => this.flush());
  }

  async depth(queue: string): Promise<number> {
    const counts = await this.queue(queue).getJobCounts('waiting', 'delayed', 'active');
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }

  private flush(): void {
    const wakeUps = this.waiting;
    this.waiting = [];
    for (const name of new Set(wakeUps.map((wakeUp) => wakeUp.queue))) {
      void this.send(name, jobsOf(wakeUps.filter((wakeUp) => wakeUp.queue === name)));
    }
  }

  /** Never rejects: the sweeper repairs a lost wake-up, so the request that caused it does not fail. */
  private async send(name: string, jobs: readonly Job[]): Promise<void> {
    const queue = this.queue(name);
    try {
      await queue.addBulk([...jobs]);
    } catch (error) {
      this.failed(error);
      // A bulk is added completely or not at all: one failing wake-up must not remove the others.
      const alone = jobs.length > 1 ? jobs : [];
      await Promise.allSettled(alone.map(({ name: job, data, opts }) => queue.add(job, data, opts)));
    }
  }

  private queue(name: string): Queue {
    const existing = this.queues.get(name);
    if (existing) return existing;
    const queue = new Queue(name, { connection: this.connection });
    queue.on('error', this.failed);
    this.queues.set(name, queue);
    return queue;
  }
}

/** An operation is woken once, even if the transaction woke it several times. Each delayed wake-up has its own job. */
function jobsOf(wakeUps: readonly WakeUp[]): Job[] {
  const now = [...new Set(wakeUps.filter(({ delayMs }) => delayMs === 0).map(({ operationId }) => operationId))];
  const together = Array.from({ length: Math.ceil(now.length / MOST_IN_JOB) }, (_, at) =>
    jobOf(now.slice(at * MOST_IN_JOB, (at + 1) * MOST_IN_JOB)),
  );
  const later = wakeUps.filter(({ delayMs }) => delayMs > 0);
  return [...together, ...later.map(({ operationId, delayMs }) => jobOf([operationId], delayMs))];
}

const jobOf = (ids: OperationId[], delay = 0): Job => ({
  name: 'ring',
  data: { ids } satisfies WakeUpJob,
  opts: { ...JOB, delay },
});
