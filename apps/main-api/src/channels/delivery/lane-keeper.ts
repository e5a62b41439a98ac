import { Injectable } from '@nestjs/common';
import { Database, Secrets } from '@libs/persistence';
import { LanesRepository, type Lane } from '@libs/persistence/channels';
import { StandingTruth } from '@libs/workflow';
import { ChannelSurrender } from './channel-surrender.js';
import { LaneRun, LEASE_SECONDS } from './lane-run.js';
import { ChannelSenders } from './channel-senders.js';

const PERIOD_MS = 1_000;
/** Channels that are delivered by at once. Those that fail have places of their own: they wait much, and for long. */
const PLACES = { sound: 100, failing: 50 } as const;

/**
 * Takes the lanes of channels that something is due for, and delivers. Safe in any number of processes: a lane is taken by a
 * lease, and what is written counts only for whoever took it last.
 */
@Injectable()
export class LaneKeeper extends StandingTruth {
  private readonly lanes: LanesRepository;
  private readonly runs = { sound: new Set<Promise<void>>(), failing: new Set<Promise<void>>() };

  constructor(
    database: Database,
    secrets: Secrets,
    private readonly senders: ChannelSenders,
    private readonly surrender: ChannelSurrender,
  ) {
    super('Notifications', PERIOD_MS);
    this.lanes = new LanesRepository(database, secrets);
  }

  /** Something may be due. */
  look(): void {
    this.ring();
  }

  override async onModuleDestroy(): Promise<void> {
    await super.onModuleDestroy();
    await Promise.all([...this.runs.sound, ...this.runs.failing]);
    await this.senders.close();
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    await this.fill('sound', stopping);
    await this.fill('failing', stopping);
  }

  private async fill(kind: keyof typeof PLACES, stopping: AbortSignal): Promise<void> {
    const free = PLACES[kind] - this.runs[kind].size;
    if (free === 0 || stopping.aborted) return;
    for (const lane of await this.lanes.take(free, LEASE_SECONDS, kind === 'failing')) {
      const run = this.deliver(lane, stopping).finally(() => {
        this.runs[kind].delete(run);
        this.ring();
      });
      this.runs[kind].add(run);
    }
  }

  private async deliver(lane: Lane, stopping: AbortSignal): Promise<void> {
    try {
      const { isHopeless } = await new LaneRun(lane, this.lanes, this.senders.byKind, stopping).run();
      if (isHopeless) await this.surrender.disable(lane.channelId);
    } catch (error) {
      // Its lease ends by itself, and it is taken again then.
      this.logger.warn({ err: error as Error, channel: lane.channelId }, 'delivery was interrupted');
    }
  }
}
