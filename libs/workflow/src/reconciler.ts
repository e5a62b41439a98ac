import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from './schedules/periodic.js';

/**
 * Base class for reconcilers. Runs `pass()` periodically from the start of the app until shutdown, before the database
 * connection closes. A pass takes no input, compares the desired with the actual state, and is safe in any number of
 * processes.
 */
export abstract class Reconciler implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly logger: Logger;
  private readonly periodic: Periodic;
  private readonly atStop: (() => void)[] = [];

  /** `gatherMs`: how long a wake-up waits for further ones, which then share its pass. */
  constructor(name: string, everyMs: number, gatherMs = 0) {
    this.logger = new Logger(name);
    this.periodic = new Periodic({
      pass: (stopping) => this.pass(stopping),
      everyMs,
      gatherMs,
      failed: (error) => this.logger.warn({ err: error }, 'pass failed, will be tried again'),
    });
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    for (const stop of this.atStop.splice(0)) stop();
    await this.periodic.stop();
  }

  /** `stop` ends something that lasts as long as the reconciler, such as a subscription to notifications. */
  protected untilStop(stop: () => void): void {
    this.atStop.push(stop);
  }

  /** Runs a pass now, or after the time in which wake-ups share a pass. */
  protected wakeUp(): void {
    this.periodic.wakeUp();
  }

  /** Something has changed: runs a pass within the period, also when the last pass asked for a longer pause. */
  protected soon(): void {
    this.periodic.soon();
  }

  /** `stopping` aborts when the process stops. May return the milliseconds to the next pass, in place of the period. */
  protected abstract pass(stopping: AbortSignal): Promise<number | void>;
}
