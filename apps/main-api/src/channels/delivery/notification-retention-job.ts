import { Injectable } from '@nestjs/common';
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
  constructor(
    scheduler: JobScheduler,
    private readonly deliveries: DeliveriesRepository,
    private readonly events: EventOutboxRepository,
    private readonly channels: ChannelsRepository,
    private readonly confirmations: ChannelConfirmationsRepository,
  ) {
    super(scheduler, 'notification_retention', '1h');
  }

  async run(stopping: AbortSignal): Promise<void> {
    await this.deliveries.ensurePartitions();
    for (const rows of [this.events, this.channels, this.confirmations])
      while (!stopping.aborted && (await rows.forgetUnscoped()) > 0);
    if (stopping.aborted) return;
    const dropped = await this.deliveries.dropExpired();
    if (dropped.length > 0) this.logger.log({ partitions: dropped }, 'deliveries past their retention dropped');
  }
}
