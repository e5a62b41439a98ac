import { Injectable } from '@nestjs/common';
import type { ChannelId, DeliveryId, DeploymentId, DivisionId, EnvironmentId, TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import type { AttemptLog, NotificationDelivery } from './entities/notification-delivery.entity.js';

/** An event in the queue of a channel: its sequence number and its text. */
export interface DeliveredEvent extends Pick<NotificationDelivery, 'id' | 'sequence' | 'subject' | 'content'> {
  messageId: string;
  messageType: string;
  tenantId: TenantId;
  divisionId: DivisionId | null;
  environmentId: EnvironmentId | null;
  deploymentId: DeploymentId | null;
  createdAt: Date;
}

/** The state of the delivery of one event. */
export interface DeliveryItem extends DeliveredEvent, Pick<NotificationDelivery, 'status' | 'attempts'> {
  /** Why it was suppressed; null otherwise. */
  statusReason: string | null;
  /** Null unless pending. */
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
  last: AttemptLog | null;
}

export interface Delivery extends DeliveryItem {
  /** The last attempts, oldest first. */
  log: AttemptLog[];
}

/** A test notification, without a real event behind it. */
export interface TestEvent {
  tenantId: TenantId;
  divisionId: DivisionId | null;
  channelId: ChannelId;
  subject: string;
  content: string;
}

export const TEST_TYPE = 'channel_test';

const EVENT = `id, sequence, message_id as "messageId", message_type as "messageType", tenant_id as "tenantId",
  division_id as "divisionId", environment_id as "environmentId", deployment_id as "deploymentId", subject, content,
  created_at as "createdAt"`;
const ITEM = `${EVENT}, status, status_reason as "statusReason", attempts, case when status = 'pending' then next_attempt_at end as "nextAttemptAt",
  delivered_at as "deliveredAt", log -> -1 as last`;
// Hides rows past their retention at once. They are deleted with the partition of their month.
const OF_CHANNEL = `tenant_id = $1 and channel_id = $2 and created_at > now() - interval '90 days'`;

const LIST = paged('delivery.list', {
  columns: ITEM,
  rows: `from notification_deliveries where ${OF_CHANNEL} and ($3::text is null or status = $3)`,
  id: 'id',
  keys: { created_at: byTime('created_at') },
});
const FIND = statement(
  'delivery.find',
  `select ${ITEM}, log from notification_deliveries where ${OF_CHANNEL} and id = $3`,
);
const HISTORY = paged('delivery.list_delivered', {
  columns: EVENT,
  rows: `from notification_deliveries where ${OF_CHANNEL} and delivered_at is not null`,
  id: 'id',
  keys: { created_at: byTime('created_at') },
});
const WOKEN = `update notification_lanes l set signal_seq = l.signal_seq + 1, due_at = now()`;
// Notifies the workers that deliver. The notification can be lost without harm.
const NOTIFIED = `returning pg_notify('landlord_deliveries', '')`;
const REDELIVER = statement(
  'delivery.redeliver',
  `with again as (
     update notification_deliveries
        set status = 'pending', status_reason = null, next_attempt_at = now(), give_up_at = now() + interval '24 hours'
      where ${OF_CHANNEL} and id = $3 returning channel_id
   )
   ${WOKEN} from again where l.channel_id = again.channel_id ${NOTIFIED}`,
);
const INSERT_TEST = statement(
  'delivery.insert_test',
  `with numbered as (
     ${WOKEN}, last_sequence = l.last_sequence + 1 where l.channel_id = $3 returning l.last_sequence
   )
   insert into notification_deliveries (channel_id, sequence, message_id, message_type, tenant_id, division_id, subject,
     content, data, event_at)
   select $3, last_sequence, gen_random_uuid(), '${TEST_TYPE}', $1, $2, $4, $5, '{}', now() from numbered
   ${NOTIFIED}`,
);

const ENSURE_PARTITIONS = statement('delivery.ensure_partitions', 'select ensure_notification_partitions()');
const DROP_EXPIRED = statement('delivery.drop_expired', 'select drop_expired_notifications() as dropped');

/** Deliveries of events per channel. Every statement has the tenant and the channel, which was read under its owner. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  async list(tenantId: TenantId, channelId: ChannelId, status: string | null, request: PageRequest) {
    const values = [tenantId, channelId, status];
    return readPage<DeliveryItem>(this.database, LIST, values, request);
  }

  async find(tenantId: TenantId, channelId: ChannelId, id: DeliveryId): Promise<Delivery | null> {
    return this.database.first<Delivery>(FIND, [tenantId, channelId, id]);
  }

  /** Only successful deliveries. */
  async history(tenantId: TenantId, channelId: ChannelId, request: PageRequest): Promise<PageOf<DeliveredEvent>> {
    return readPage<DeliveredEvent>(this.database, HISTORY, [tenantId, channelId], request);
  }

  /** Schedules another delivery. Returns false when there is no such delivery. */
  async redeliver(tenantId: TenantId, channelId: ChannelId, id: DeliveryId): Promise<boolean> {
    return (await this.database.execute(REDELIVER, [tenantId, channelId, id])) === 1;
  }

  async insertTest({ tenantId, divisionId, channelId, subject, content }: TestEvent): Promise<void> {
    await this.database.execute(INSERT_TEST, [tenantId, divisionId, channelId, subject, content]);
  }
  /** Creates the partitions of the coming months. */
  async ensurePartitions(): Promise<void> {
    await this.database.execute(ENSURE_PARTITIONS);
  }

  /** Drops the months whose 90 days are over. Returns the names of the partitions. */
  async dropExpired(): Promise<string[]> {
    const [row] = await this.database.query<{ dropped: string[] }>(DROP_EXPIRED);
    return row?.dropped ?? [];
  }
}
