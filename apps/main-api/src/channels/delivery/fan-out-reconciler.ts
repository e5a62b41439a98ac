import { Injectable } from '@nestjs/common';
import { Database, Notifications } from '@libs/persistence';
import { EventOutboxRepository } from '@libs/persistence/channels';
import { Reconciler } from '@libs/workflow';
import { contentOf } from './event-wording.js';

/** Period of passes for events whose NOTIFY was lost. */
const PERIOD_MS = 5_000;
const BATCH = 200;
/** Events of this time share a pass, which has four statements for one event or for two hundred. */
const GATHER_MS = 20;

/**
 * Passes events from the outbox, which contains them with the change that they report, to the matching channels. One
 * transaction marks an event and creates its deliveries. So each channel gets it once, also after a crash.
 */
@Injectable()
export class FanOutReconciler extends Reconciler {
  constructor(
    private readonly database: Database,
    private readonly outbox: EventOutboxRepository,
    private readonly notifications: Notifications,
  ) {
    super('Fan-out', PERIOD_MS, GATHER_MS);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.untilStop(this.notifications.on('landlord_outbox', () => this.wakeUp()));
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    let dispatched: number;
    do {
      dispatched = await this.database.transaction(() => this.dispatchBatch());
    } while (dispatched === BATCH && !stopping.aborted);
  }

  private async dispatchBatch(): Promise<number> {
    const events = await this.outbox.takeUnscoped(BATCH);
    if (events.length > 0)
      await this.outbox.dispatch(events.map((event) => ({ id: event.id, content: contentOf(event) })));
    return events.length;
  }
}
