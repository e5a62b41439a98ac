import { Injectable } from '@nestjs/common';
import type { ChannelId, DeliveryId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { Secrets } from '../secrets.js';
import { CHANNEL_CELLS } from './channel-cells.js';
import { consentTo } from './confirmed-address.js';
import { deliveriesOf, dueOf, type DueDelivery, type DueRow } from './due-deliveries.js';
import type { AttemptLog } from './entities/notification-delivery.entity.js';
import type { OpenChannelQueue, OpenRow } from './open-channel-queue.js';

/** The lease of one worker on a channel queue. Its writes count only until another worker takes the queue. */
export interface ChannelQueue {
  channelId: ChannelId;
  leaseToken: number;
  /** Whether the destination has accepted no delivery lately, when the lease began. */
  isFailing: boolean;
}

/** The result of an attempt. */
export interface DeliveryOutcome {
  id: DeliveryId;
  isDelivered: boolean;
  /** Seconds until the next attempt. After 24 hours there is no further attempt. */
  pauseSeconds: number;
  log: AttemptLog;
}

/** The queues of all channels. */
interface QueueCensus {
  failing: number;
  oldestDueSeconds: number;
  waitingEvents: number;
}

/** Channels whose due deliveries one statement reads. Events can be large. */
const CHANNELS_TOGETHER = 10;
/** Maximum number of stored attempts per delivery. */
const KEPT_ATTEMPTS = 20;

// Failing channels have their own workers, so that a dead destination blocks no working channel.
const TAKE = statement(
  'lane.take',
  `update notification_lanes l set leased_until = now() + make_interval(secs => $2), lease_token = lease_token + 1
     from (select channel_id from notification_lanes
            where due_at <= now() and (leased_until is null or leased_until < now())
              and (failing_since is not null) = $3
            order by due_at limit $1 for update skip locked) due
    where l.channel_id = due.channel_id
   returning l.channel_id as "channelId", l.lease_token as "leaseToken", l.failing_since is not null as "isFailing"`,
);
const NEXT = statement(
  'lane.next',
  `select extract(epoch from due_at - now())::float8 as seconds from notification_lanes
    where due_at is not null order by due_at limit 1`,
);
const HELD = 'l.channel_id = $1 and l.lease_token = $2';
const OPEN = statement(
  'lane.open',
  `select i.n, c.channel, c.name, c.enabled, c.destination, c.settings, c.secret,
          case when c.previous_until > now() then c.previous_secret end as previous_secret, l.signal_seq,
          c.tenant_id, t.name as tenant_name, c.confirmed_address
     from unnest($1::bigint[], $2::bigint[]) with ordinality as i(channel_id, lease_token, n)
     join notification_lanes l on l.channel_id = i.channel_id and l.lease_token = i.lease_token
     join notification_channels c on c.id = l.channel_id join tenants t on t.id = c.tenant_id`,
);
const FIRST = statement('lane.first', dueOf('d.attempts = 0', 'd.sequence'));
const AGAIN = statement('lane.again', dueOf('d.attempts > 0 and d.next_attempt_at <= now()', 'd.next_attempt_at'));
// The list of ids is a condition of the index. Without the list, PostgreSQL reads all deliveries of the channel for the join.
const WRITE = statement(
  'lane.write',
  `update notification_deliveries d
      set attempts = d.attempts + 1,
          log = case when jsonb_array_length(d.log) >= ${KEPT_ATTEMPTS} then d.log - 0 else d.log end || o.log,
          status = case when o.is_delivered then 'delivered'
                        when now() + make_interval(secs => o.pause) > d.give_up_at then 'failed' else 'pending' end,
          delivered_at = case when o.is_delivered then now() else d.delivered_at end,
          next_attempt_at = now() + make_interval(secs => o.pause)
     from jsonb_to_recordset($3::jsonb) as o(id bigint, is_delivered boolean, pause float8, log jsonb),
          notification_lanes l
    where ${HELD} and d.channel_id = $1 and d.id = any($4::bigint[]) and d.id = o.id and d.status = 'pending'`,
);
const SUPPRESS = statement(
  'lane.suppress',
  `update notification_deliveries d set status = 'suppressed', status_reason = 'unconfirmed' from notification_lanes l
    where ${HELD} and d.channel_id = $1 and d.id = any($3::bigint[]) and d.status = 'pending'`,
);
// A renewal may arrive after the release. It must not lease a released queue, which nobody would release again.
const RENEW = statement(
  'lane.renew',
  `update notification_lanes l set leased_until = now() + make_interval(secs => $3) from notification_channels c
    where ${HELD} and l.leased_until is not null and c.id = l.channel_id and c.enabled`,
);
const RECORD_HEALTH = statement(
  'lane.record_health',
  `update notification_lanes l set failing_since = case when $3 then null else coalesce(failing_since, now()) end
    where ${HELD} returning coalesce(failing_since < now() - make_interval(days => $4), false) as "failedForDays"`,
);
// A channel that is off is never due. Switching it on makes it due.
const PARK = statement(
  'lane.park',
  `update notification_lanes l set leased_until = null, due_at = null from notification_channels c
    where ${HELD} and c.id = l.channel_id and not c.enabled`,
);
// Deliveries that arrived after the worker read the signal are missing from the minimum below. A changed signal makes the queue
// due at once.
const RELEASE = statement(
  'lane.release',
  `update notification_lanes l
      set leased_until = null,
          due_at = case when l.signal_seq <> $3 then now() else least(
            (select now() from notification_deliveries d
              where d.channel_id = $1 and d.status = 'pending' and d.attempts = 0 limit 1),
            (select min(d.next_attempt_at) from notification_deliveries d
              where d.channel_id = $1 and d.status = 'pending' and d.attempts > 0)) end
    where ${HELD}`,
);
const CENSUS = statement(
  'lane.census',
  `select count(*) filter (where failing_since is not null)::int as failing,
          coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as "oldestDueSeconds",
          (select count(*)::int from outbox where dispatched_at is null) as "waitingEvents"
     from notification_lanes where due_at <= now() or failing_since is not null`,
);

/** Leases on channel queues, and results of deliveries. For workers: the statements have no tenant. */
@Injectable()
export class ChannelQueuesRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Takes due channel queues for `leaseSeconds`. Other workers skip them during that time. */
  async take(limit: number, leaseSeconds: number, areFailing: boolean): Promise<ChannelQueue[]> {
    return this.database.query<ChannelQueue>(TAKE, [limit, leaseSeconds, areFailing]);
  }

  /** Time until a channel queue is due; not positive when one is. Null: no delivery waits. */
  async secondsToNext(): Promise<number | null> {
    return (await this.database.first<{ seconds: number }>(NEXT))?.seconds ?? null;
  }

  /** Null when the channel is deleted or another worker has it. @throws SecretUnreadable when its key is lost */
  async openUnscoped({ channelId, leaseToken }: ChannelQueue): Promise<OpenChannelQueue | null> {
    const row = await this.database.batched<OpenRow>(OPEN, [channelId, leaseToken], CHANNELS_TOGETHER);
    if (!row) return null;
    const open = (column: keyof typeof CHANNEL_CELLS, text: string): string =>
      this.secrets.open(CHANNEL_CELLS[column](channelId), text);
    const destination = open('destination', row.destination);
    return {
      channelId,
      consent: await consentTo(this.database, {
        tenantId: row.tenant_id,
        channel: row.channel,
        destination,
        confirmedAddress: row.confirmed_address,
      }),
      channel: row.channel,
      name: row.name,
      enabled: row.enabled,
      tenantName: row.tenant_name,
      signalSeq: row.signal_seq,
      destination,
      settings: row.settings === null ? null : (JSON.parse(open('settings', row.settings)) as Record<string, unknown>),
      secrets: [
        ...(row.secret === null ? [] : [open('secret', row.secret)]),
        ...(row.previous_secret === null ? [] : [open('previous_secret', row.previous_secret)]),
      ],
    };
  }

  /** Deliveries without an attempt, in the order of the channel. */
  async firstUnscoped({ channelId }: ChannelQueue, limit: number): Promise<DueDelivery[]> {
    return deliveriesOf(await this.database.batched<DueRow>(FIRST, [channelId, limit], CHANNELS_TOGETHER));
  }

  /** Deliveries that failed before and are due again. */
  async againUnscoped({ channelId }: ChannelQueue, limit: number): Promise<DueDelivery[]> {
    return deliveriesOf(await this.database.batched<DueRow>(AGAIN, [channelId, limit], CHANNELS_TOGETHER));
  }

  /** Writes all outcomes in one statement. */
  async writeUnscoped({ channelId, leaseToken }: ChannelQueue, outcomes: readonly DeliveryOutcome[]): Promise<void> {
    await this.database.execute(WRITE, [
      channelId,
      leaseToken,
      // The driver writes one JSON text much faster than arrays, whose texts it escapes one by one.
      JSON.stringify(
        outcomes.map(({ id, isDelivered, pauseSeconds, log }) => ({
          id,
          is_delivered: isDelivered,
          pause: pauseSeconds,
          log,
        })),
      ),
      outcomes.map(({ id }) => id),
    ]);
  }

  /** Suppresses deliveries of a channel without a confirmed address. Sends nothing. */
  async suppressUnscoped({ channelId, leaseToken }: ChannelQueue, ids: readonly DeliveryId[]): Promise<void> {
    await this.database.execute(SUPPRESS, [channelId, leaseToken, ids]);
  }

  /** Returns false when another worker has the queue, or when the channel may no longer send. */
  async renewUnscoped({ channelId, leaseToken }: ChannelQueue, leaseSeconds: number): Promise<boolean> {
    return (await this.database.execute(RENEW, [channelId, leaseToken, leaseSeconds])) === 1;
  }

  /** Records whether the destination accepts events. Returns true when it has accepted none for `days` days. */
  async recordHealth({ channelId, leaseToken }: ChannelQueue, isAccepting: boolean, days: number): Promise<boolean> {
    const [row] = await this.database.query<{ failedForDays: boolean }>(RECORD_HEALTH, [
      channelId,
      leaseToken,
      isAccepting,
      days,
    ]);
    return row?.failedForDays ?? false;
  }

  /** Releases the queue of a channel that is off. */
  async parkUnscoped({ channelId, leaseToken }: ChannelQueue): Promise<void> {
    await this.database.execute(PARK, [channelId, leaseToken]);
  }

  /** Releases the queue. The queue is due again when its next delivery is due. */
  async releaseUnscoped({ channelId, leaseToken }: ChannelQueue, signalSeq: number): Promise<void> {
    await this.database.execute(RELEASE, [channelId, leaseToken, signalSeq]);
  }

  async censusUnscoped(): Promise<QueueCensus> {
    const [row] = await this.database.query<QueueCensus>(CENSUS);
    return row ?? { failing: 0, oldestDueSeconds: 0, waitingEvents: 0 };
  }
}
