import { Injectable } from '@nestjs/common';
import { Metrics } from '@libs/http';
import { ChannelQueuesRepository } from '@libs/persistence/channels';

/** Prometheus gauges of notifications: they show a backlog before users miss a notification. */
@Injectable()
export class DeliveryGauges {
  constructor(metrics: Metrics, channelQueues: ChannelQueuesRepository) {
    // A scrape reads all gauges at once, so they share one query.
    let looking: ReturnType<ChannelQueuesRepository['censusUnscoped']> | undefined;
    const look = () => (looking ??= channelQueues.censusUnscoped().finally(() => (looking = undefined)));
    const read = async (value: 'failing' | 'oldestDueSeconds' | 'waitingEvents') => [
      { labels: {}, value: (await look())[value] },
    ];
    metrics.gauge({
      name: 'landlord_events_waiting',
      help: 'Events that no channel has received.',
      labels: [],
      read: () => read('waitingEvents'),
    });
    metrics.gauge({
      name: 'landlord_channels_failing',
      help: 'Notification channels whose last delivery was not taken.',
      labels: [],
      read: () => read('failing'),
    });
    metrics.gauge({
      name: 'landlord_channel_due_seconds',
      help: 'How long the channel that waits longest has been due.',
      labels: [],
      read: () => read('oldestDueSeconds'),
    });
  }
}
