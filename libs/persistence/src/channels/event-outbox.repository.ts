import { Injectable } from '@nestjs/common';
import type { EventId, DeploymentId, DivisionId, EnvironmentId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { pipelined } from '../pipelined.js';
import type { OutboxEvent } from './entities/outbox-event.entity.js';

interface Named<Id extends number> {
  id: Id;
  name: string | null;
}

/** An event that was not dispatched to channels yet. */
export interface WaitingEvent extends Pick<OutboxEvent, 'id' | 'type' | 'subject' | 'data'> {
  division: Named<DivisionId> | null;
  environment: Named<EnvironmentId> | null;
  deployment: Named<DeploymentId> | null;
}

const named = (level: string): string =>
  `case when ${level}_id is not null then jsonb_build_object('id', ${level}_id, 'name', ${level}_name) end as ${level}`;

// One process dispatches at a time, so that all channels get events in one order. Other processes wait for its transaction.
const ALONE = statement('outbox.alone', `select pg_advisory_xact_lock(hashtext('landlord.outbox'))`);
const WAITING = statement(
  'outbox.waiting',
  `select id, type, subject, data, ${['division', 'environment', 'deployment'].map(named).join(', ')}
     from outbox where dispatched_at is null order by id limit $1 for update skip locked`,
);
const within = (ids: string, id: string): string => `(s.${ids} = '{}' or e.${id} = any(s.${ids}))`;
// Notifies the workers that deliver. An event that no channel gets wakes nobody.
// A channel gets only events that are newer than the channel. Each new delivery increments the signal, because a worker that
// releases the channel queue at this moment has not seen the delivery.
const DISPATCH = statement(
  'outbox.dispatch',
  `with event as (
     select o.*, c.content from unnest($1::bigint[], $2::text[]) as c(event_id, content) join outbox o on o.id = c.event_id
   ), matched as (
     select c.id as channel_id, e.*, row_number() over (partition by c.id order by e.id) as place
       from event e
       join notification_channels c on c.tenant_id = e.tenant_id and c.enabled and c.created_at <= e.created_at
        and (c.division_id is null or c.division_id = e.division_id)
      where not exists (select from notification_subscriptions s where s.channel_id = c.id)
         or exists (
              select from notification_subscriptions s
               where s.channel_id = c.id and e.type = any(s.message_types) and ${within('scope_tenant_ids', 'tenant_id')}
                 and ${within('scope_division_ids', 'division_id')}
                 and ${within('scope_environment_ids', 'environment_id')}
                 and ${within('scope_deployment_ids', 'deployment_id')})
   ), moved as (
     update notification_lanes l
        set last_sequence = l.last_sequence + m.events, signal_seq = l.signal_seq + 1, due_at = now()
       from (select channel_id, count(*) as events from matched group by channel_id) m
      where l.channel_id = m.channel_id
     returning l.channel_id, l.last_sequence - m.events as base, pg_notify('landlord_deliveries', '')
   ), delivering as (
     insert into notification_deliveries (channel_id, sequence, message_id, message_type, tenant_id, division_id,
       environment_id, deployment_id, subject, content, data, event_at)
     select m.channel_id, moved.base + m.place, m.message_id, m.type, m.tenant_id, m.division_id, m.environment_id,
            m.deployment_id, m.subject, m.content, m.data, m.created_at
       from matched m join moved on moved.channel_id = m.channel_id
      order by m.channel_id, m.place
   )
   update outbox set dispatched_at = now() where id = any($1)`,
);
const FORGET = statement(
  'outbox.forget',
  `delete from outbox where id in (
     select id from outbox where dispatched_at < now() - interval '90 days' limit 1000)`,
);

/** Events that wait for dispatch to the channels. */
@Injectable()
export class EventOutboxRepository {
  constructor(private readonly database: Database) {}

  /** The oldest waiting events. Locks them until the transaction ends. No other process dispatches during that time. */
  async takeUnscoped(limit: number): Promise<WaitingEvent[]> {
    const [, events] = await pipelined([
      this.database.execute(ALONE),
      this.database.query<WaitingEvent>(WAITING, [limit]),
    ]);
    return events;
  }

  /** Adds each event, with its text, to the queue of every channel that matches (C-24.8), and notifies the workers that deliver. */
  async dispatch(events: readonly { id: EventId; content: string }[]): Promise<void> {
    const values = [events.map(({ id }) => id), events.map(({ content }) => content)];
    await this.database.execute(DISPATCH, values);
  }

  /** Deletes some events that were dispatched 90 days ago. Returns the number of deleted events. */
  async forgetUnscoped(): Promise<number> {
    return this.database.execute(FORGET);
  }
}
