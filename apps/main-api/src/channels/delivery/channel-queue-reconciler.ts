import { Injectable } from '@nestjs/common';
import { Notifications } from '@libs/persistence';
import { ChannelQueuesRepository, type ChannelQueue } from '@libs/persistence/channels';
import { Reconciler } from '@libs/workflow';
import { ChannelDisabler } from './channel-disabler.js';
import { ChannelQueueRun, LEASE_SECONDS } from './channel-queue-run.js';
import { ChannelSenders } from './channel-senders.js';

const PERIOD_MS = 1_000;
/** The longest pause while no channel queue is due: another process may be killed before it delivers its events. */
const QUIET_MS = 5_000;
/** Maximum channels with concurrent deliveries. Failing channels have their own limit, because they wait often and long. */
const SLOTS = { healthy: 100, failing: 50 } as const;

/**
 * Takes the queues of channels with due deliveries, and delivers. Safe in any number of processes: a lease protects
 * each channel queue, and only writes of the last owner count.
 */
@Injectable()
export class ChannelQueueReconciler extends Reconciler {
  private readonly runs = { healthy: new Set<Promise<void>>(), failing: new Set<Promise<void>>() };

  constructor(
    private readonly channelQueues: ChannelQueuesRepository,
    private readonly senders: ChannelSenders,
    private readonly disabler: ChannelDisabler,
    private readonly notifications: Notifications,
  ) {
    super('Notifications', PERIOD_MS);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    this.untilStop(this.notifications.on('landlord_deliveries', () => this.wakeUp()));
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    await Promise.all([...this.runs.healthy, ...this.runs.failing]);
    await this.senders.close();
  }

  protected async pass(stopping: AbortSignal): Promise<number> {
    await this.fill('healthy', stopping);
    await this.fill('failing', stopping);
    const nextMs = ((await this.channelQueues.secondsToNext()) ?? Infinity) * 1000;
    return Math.min(Math.max(nextMs, PERIOD_MS), QUIET_MS);
  }

  private async fill(kind: keyof typeof SLOTS, stopping: AbortSignal): Promise<void> {
    const free = SLOTS[kind] - this.runs[kind].size;
    if (free === 0 || stopping.aborted) return;
    for (const channelQueue of await this.channelQueues.take(free, LEASE_SECONDS, kind === 'failing')) {
      const run = this.deliver(channelQueue, stopping).finally(() => {
        this.runs[kind].delete(run);
        this.wakeUp();
      });
      this.runs[kind].add(run);
    }
  }

  private async deliver(channelQueue: ChannelQueue, stopping: AbortSignal): Promise<void> {
    try {
      const { failedForFiveDays } = await new ChannelQueueRun(
        channelQueue,
        this.channelQueues,
        this.senders.byKind,
        stopping,
      ).run();
      if (failedForFiveDays) await this.disabler.disable(channelQueue.channelId);
    } catch (error) {
      // The lease ends automatically, and a worker takes the channel again.
      this.logger.warn({ err: error as Error, channel: channelQueue.channelId }, 'delivery was interrupted');
    }
  }
}
