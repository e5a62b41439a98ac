import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import {
  ChannelConfirmationsRepository,
  ChannelsRepository,
  DeliveriesRepository,
  EventOutboxRepository,
} from '@libs/persistence/channels';
import { ScheduledJob, JobScheduler } from '@libs/workflow';

/**
 * Creates partitions of deliveries in advance and drops those older than 90 days. Deletes events of the same age,
 * channels of deleted owners, and confirmations with expired links.
 */
@Injectable()
export class NotificationRetentionJob extends ScheduledJob {
  private readonly deliveries: DeliveriesRepository;
  /** Repositories whose old rows are deleted in batches. */
  private readonly rows: { forget(): Promise<number> }[];

  constructor(reconciler: JobScheduler, database: Database, secrets: Secrets) {
    super(reconciler, 'notification_retention', '1h');
    this.deliveries = new DeliveriesRepository(database);
    this.rows = [
      new EventOutboxRepository(database),
      new ChannelsRepository(database, secrets),
      new ChannelConfirmationsRepository(database),
    ];
  }

  async run(stopping: AbortSignal): Promise<void> {
    await this.deliveries.ensurePartitions();
    for (const rows of this.rows) while (!stopping.aborted && (await rows.forget()) > 0);
    if (stopping.aborted) return;
    const dropped = await this.deliveries.dropExpired();
    if (dropped.length > 0) this.logger.log({ partitions: dropped }, 'deliveries past their retention dropped');
  }
}
