import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from './schedules/periodic.js';

/**
 * A sweeper as a provider: looks from boot on, and ends before the database is left. A pass takes no input, compares
 * what should be with what is, and is safe to run in any number of processes.
 */
export abstract class Reconciler implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly logger: Logger;
  private readonly periodic: Periodic;

  constructor(name: string, everyMs: number) {
    this.logger = new Logger(name);
    this.periodic = new Periodic({
      pass: (stopping) => this.pass(stopping),
      everyMs,
      failed: (error) => this.logger.warn({ err: error }, 'pass failed, will be tried again'),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }

  /** Asks for a pass now. */
  protected wakeUp(): void {
    this.periodic.wakeUp();
  }

  /** `stopping` aborts when the process ends. */
  protected abstract pass(stopping: AbortSignal): Promise<void>;
}
