import { statement, type Database } from '../database.js';
import type { Secrets } from '../secrets.js';
import { CHANNEL_CELLS } from './channel-cells.js';
import type { Channel } from './channels.repository.js';
import { consentTo, type Consent } from './confirmed-address.js';
import type { AttemptLog, DeliveredEvent } from './deliveries.repository.js';

/** A channel in the hands of one worker. What is written of it counts only while nobody has taken it since. */
export interface ChannelQueue {
  channelId: number;
  leaseToken: number;
}

/** What a worker needs to know of a channel, read anew before each batch. */
export interface OpenChannelQueue extends Pick<Channel, 'channel' | 'destination' | 'settings' | 'enabled' | 'name'> {
  tenantName: string;
  channelId: number;
  /** Null: nothing may be mailed to the destination. */
  consent: Consent | null;
  /** What signs; the one until now as well while both are good. */
  secrets: string[];
  /** How often something new has come: shown when the lane is let go. */
  signalSeq: number;
}

/** An event that is to be delivered now. */
export interface DueDelivery extends DeliveredEvent {
  data: object;
  eventAt: Date;
  /** So many were made before. */
  attempts: number;
}

/** What an attempt came to. */
export interface DeliveryOutcome {
  id: number;
  isDelivered: boolean;
  /** Until the next attempt; past 24 hours there is none. */
  pauseSeconds: number;
  log: AttemptLog;
}

interface OpenRow {
  channel: Channel['channel'];
  name: string;
  enabled: boolean;
  destination: string;
  settings: string | null;
  secret: string | null;
  previous_secret: string | null;
  tenant_id: number;
  tenant_name: string;
  confirmed_address: Buffer | null;
  signal_seq: number;
}

/** Attempts that are remembered of one delivery. */
const KEPT_ATTEMPTS = 20;

// Those that fail have workers of their own: a dead destination takes no one's place.
const TAKE = statement(
  'lane.take',
  `update notification_lanes l set leased_until = now() + make_interval(secs => $2), lease_token = lease_token + 1
     from (select channel_id from notification_lanes
            where due_at <= now() and (leased_until is null or leased_until < now())
              and (failing_since is not null) = $3
            order by due_at limit $1 for update skip locked) due
    where l.channel_id = due.channel_id
   returning l.channel_id as "channelId", l.lease_token as "leaseToken"`,
);
const HELD = 'l.channel_id = $1 and l.lease_token = $2';
const OPEN = statement(
  'lane.open',
  `select c.channel, c.name, c.enabled, c.destination, c.settings, c.secret,
          case when c.previous_until > now() then c.previous_secret end as previous_secret, l.signal_seq,
          c.tenant_id, t.name as tenant_name, c.confirmed_address
     from notification_lanes l join notification_channels c on c.id = l.channel_id join tenants t on t.id = c.tenant_id
    where ${HELD}`,
);
const DUE = `d.id, d.sequence, d.message_id as "messageId", d.message_type as "messageType", d.tenant_id as "tenantId",
  d.division_id as "divisionId", d.environment_id as "environmentId", d.deployment_id as "deploymentId", d.subject, d.content,
  d.data, d.attempts, d.created_at as "createdAt", d.event_at as "eventAt"`;
const FIRST = statement(
  'lane.first',
  `select ${DUE} from notification_deliveries d
    where d.channel_id = $1 and d.status = 'pending' and d.attempts = 0 order by d.sequence limit $2`,
);
const AGAIN = statement(
  'lane.again',
  `select ${DUE} from notification_deliveries d
    where d.channel_id = $1 and d.status = 'pending' and d.attempts > 0 and d.next_attempt_at <= now()
    order by d.next_attempt_at limit $2`,
);
const WRITE = statement(
  'lane.write',
  `update notification_deliveries d
      set attempts = d.attempts + 1,
          log = case when jsonb_array_length(d.log) >= ${KEPT_ATTEMPTS} then d.log - 0 else d.log end || o.log::jsonb,
          status = case when o.is_delivered then 'delivered'
                        when now() + make_interval(secs => o.pause) > d.give_up_at then 'failed' else 'pending' end,
          delivered_at = case when o.is_delivered then now() else d.delivered_at end,
          next_attempt_at = now() + make_interval(secs => o.pause)
     from unnest($3::bigint[], $4::boolean[], $5::float8[], $6::text[]) as o(id, is_delivered, pause, log),
          notification_lanes l
    where ${HELD} and d.channel_id = $1 and d.id = o.id and d.status = 'pending'`,
);
const SUPPRESS = statement(
  'lane.suppress',
  `update notification_deliveries d set status = 'suppressed', status_reason = 'unconfirmed' from notification_lanes l
    where ${HELD} and d.channel_id = $1 and d.id = any($3::bigint[]) and d.status = 'pending'`,
);
const RENEW = statement(
  'lane.renew',
  `update notification_lanes l set leased_until = now() + make_interval(secs => $3) from notification_channels c
    where ${HELD} and c.id = l.channel_id and c.enabled`,
);
const JUDGE = statement(
  'lane.judge',
  `update notification_lanes l set failing_since = case when $3 then null else coalesce(failing_since, now()) end
    where ${HELD} returning coalesce(failing_since < now() - make_interval(days => $4), false) as "isHopeless"`,
);
// Nobody is told while it is off; switching it on makes it due.
const PARK = statement(
  'lane.park',
  `update notification_lanes l set leased_until = null, due_at = null from notification_channels c
    where ${HELD} and c.id = l.channel_id and not c.enabled`,
);
// What came since the signal was read is not in the minimum below, so it is due at once.
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

/** Who delivers by which channel, and what it came to. For workers: nothing here asks for a tenant. */
export class ChannelQueuesRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Channels that something is due for, for so many seconds; other workers pass them over meanwhile. */
  async take(limit: number, leaseSeconds: number, areFailing: boolean): Promise<ChannelQueue[]> {
    return this.database.query<ChannelQueue>(TAKE, [limit, leaseSeconds, areFailing]);
  }

  /** Null when the channel is gone, or another worker has it. @throws SecretUnreadable when its key is gone */
  async open({ channelId, leaseToken }: ChannelQueue): Promise<OpenChannelQueue | null> {
    const [row] = await this.database.query<OpenRow>(OPEN, [channelId, leaseToken]);
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

  /** What was never tried, in the channel's order. */
  async first({ channelId }: ChannelQueue, limit: number): Promise<DueDelivery[]> {
    return this.database.query<DueDelivery>(FIRST, [channelId, limit]);
  }

  /** What failed before and is due again. */
  async again({ channelId }: ChannelQueue, limit: number): Promise<DueDelivery[]> {
    return this.database.query<DueDelivery>(AGAIN, [channelId, limit]);
  }

  /** In one statement, however many. */
  async write({ channelId, leaseToken }: ChannelQueue, outcomes: readonly DeliveryOutcome[]): Promise<void> {
    await this.database.execute(WRITE, [
      channelId,
      leaseToken,
      outcomes.map(({ id }) => id),
      outcomes.map(({ isDelivered }) => isDelivered),
      outcomes.map(({ pauseSeconds }) => pauseSeconds),
      outcomes.map(({ log }) => JSON.stringify(log)),
    ]);
  }

  /** Ends deliveries of a channel that nobody has confirmed, without sending anything. */
  async suppress({ channelId, leaseToken }: ChannelQueue, ids: readonly number[]): Promise<void> {
    await this.database.execute(SUPPRESS, [channelId, leaseToken, ids]);
  }

  /** False when another worker has it, or nothing is to be sent by the channel any more. */
  async renew({ channelId, leaseToken }: ChannelQueue, leaseSeconds: number): Promise<boolean> {
    return (await this.database.execute(RENEW, [channelId, leaseToken, leaseSeconds])) === 1;
  }

  /** Notes whether the destination takes anything; true when it has not for so many days. */
  async judge({ channelId, leaseToken }: ChannelQueue, isTaking: boolean, days: number): Promise<boolean> {
    const [row] = await this.database.query<{ isHopeless: boolean }>(JUDGE, [channelId, leaseToken, isTaking, days]);
    return row?.isHopeless ?? false;
  }

  /** Lets go of the lane of a channel that is off. */
  async park({ channelId, leaseToken }: ChannelQueue): Promise<void> {
    await this.database.execute(PARK, [channelId, leaseToken]);
  }

  /** Lets go of the lane; it is due when its next delivery is. */
  async release({ channelId, leaseToken }: ChannelQueue, signalSeq: number): Promise<void> {
    await this.database.execute(RELEASE, [channelId, leaseToken, signalSeq]);
  }

  async census(): Promise<{ failing: number; oldestDueSeconds: number; waitingEvents: number }> {
    const [row] = await this.database.query<{ failing: number; oldestDueSeconds: number; waitingEvents: number }>(
      CENSUS,
    );
    return row ?? { failing: 0, oldestDueSeconds: 0, waitingEvents: 0 };
  }
}
