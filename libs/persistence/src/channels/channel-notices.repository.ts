import { Injectable } from '@nestjs/common';
import { canonicalMailbox, type TenantId, type ChannelId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { SecretUnreadable, Secrets } from '../secrets.js';
import { CHANNEL_CELLS } from './channel-cells.js';
import type { NotificationChannel } from './entities/notification-channel.entity.js';

/** An e-mail channel that sends nothing until its address is confirmed, and the recipient of the notice about that. */
export interface UnconfirmedChannel extends Pick<NotificationChannel, 'id' | 'name'> {
  tenantId: TenantId;
  tenantName: string;
  divisionName: string | null;
  ownerEmail: string;
}

type Row = UnconfirmedChannel & { destination: string; isGone: boolean };

const TAKE = statement(
  'channel_notice.take',
  `update notification_channels c set notice_due = false
     from tenants t join users u on u.id = t.owner_id
    where t.id = c.tenant_id
      and c.id in (select id from notification_channels where notice_due order by tenant_id, id limit $1 for update skip locked)
   returning c.id, c.name, c.destination, c.tenant_id as "tenantId", t.name as "tenantName", u.email as "ownerEmail",
     t.deleted_at is not null as "isGone",
     (select d.name from divisions d where d.id = c.division_id) as "divisionName"`,
);
const MEMBERS = statement(
  'channel_notice.members',
  `select a.channel_id as id from unnest($1::bigint[], $2::bigint[], $3::text[]) as a(channel_id, tenant_id, address)
    where exists (select from members m join users u on u.id = m.user_id
                   where m.tenant_id = a.tenant_id and m.active and u.email_verified_at is not null
                     and u.email_canonical = a.address)`,
);

/**
 * E-mail channels that are older than the rule that addresses must be confirmed. For workers: the statements have no tenant.
 */
@Injectable()
export class ChannelNoticesRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Takes some channels without a notice yet. Returns their number, and those whose address belongs to no member. */
  async takeUnscoped(limit: number): Promise<{ taken: number; unconfirmed: UnconfirmedChannel[] }> {
    const rows = await this.database.query<Row>(TAKE, [limit]);
    if (rows.length === 0) return { taken: 0, unconfirmed: [] };
    const members = await this.database.query<{ id: ChannelId }>(MEMBERS, [
      rows.map(({ id }) => id),
      rows.map(({ tenantId }) => tenantId),
      rows.map((row) => canonicalMailbox(this.addressOf(row))),
    ]);
    const confirmed = new Set(members.map(({ id }) => id));
    return { taken: rows.length, unconfirmed: rows.filter(({ id, isGone }) => !isGone && !confirmed.has(id)) };
  }

  /**
   * If the key of the address is lost, returns an empty address, which belongs to no member. Nothing can be sent there either.
   */
  private addressOf({ id, destination }: Row): string {
    try {
      return this.secrets.open(CHANNEL_CELLS.destination(id), destination);
    } catch (error) {
      if (error instanceof SecretUnreadable) return '';
      throw error;
    }
  }
}
