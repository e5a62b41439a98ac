import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { operationsQueue, type OperationId } from '@libs/domain';
import { Database } from '@libs/persistence';
import { WakeUpQueue, isOff, WakeUpHandler } from '@libs/queue';
import { OperationStore, Runner, OverdueOperationsReconciler, WorkflowLog } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { LifecycleWorkflows } from './lifecycle-workflows.js';

/** Runs the workflows of this cell: processes wake-ups, and sweeps for operations without a wake-up. */
@Injectable()
export class LifecycleWorker extends WakeUpHandler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly runner: Runner;
  private readonly reconciler: OverdueOperationsReconciler;
  private readonly running = new Set<Promise<void>>();

  constructor(
    database: Database,
    wakeUps: WakeUpQueue,
    workflows: LifecycleWorkflows,
    @Inject(SUPERVISOR_CONFIG) config: SupervisorConfig,
  ) {
    super();
    const log = new WorkflowLog();
    this.runner = new Runner(database, new OperationStore(database), wakeUps, workflows.byType, log);
    const hasQueue = !isOff({ url: config.QUEUE_URL ?? '' });
    this.reconciler = new OverdueOperationsReconciler(database, wakeUps, log, {
      queues: [operationsQueue(config.SUPERVISOR_CELL)],
      run: (id) => this.run(id),
      hasQueue,
      periodMs: hasQueue ? 1_000 : 200,
    });
  }

  onApplicationBootstrap(): void {
    this.reconciler.start();
  }

  /** Runs before the database connection closes. Running steps finish. */
  async onModuleDestroy(): Promise<void> {
    this.runner.stop();
    await this.reconciler.stop();
    await Promise.all(this.running);
  }

  async run(operationId: OperationId): Promise<void> {
    const run = this.runner.run(operationId).finally(() => this.running.delete(run));
    this.running.add(run);
    await run;
  }
}
