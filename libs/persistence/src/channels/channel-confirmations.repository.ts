import { Injectable } from '@nestjs/common';
import type { ChannelId, DivisionId, TenantId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { inFuture } from '../conditions.js';
import { statement, Database } from '../database.js';
import { addressHash } from './confirmed-address.js';
import type { NotificationChannel } from './entities/notification-channel.entity.js';
import { ChannelConfirmation } from './entities/channel-confirmation.entity.js';

/** A mail that asks the reader of an address to allow notifications of a channel. Only the hash of its token is stored. */
export interface NewConfirmation {
  tenantId: TenantId;
  channelId: ChannelId;
  address: string;
  tokenHash: Buffer;
  validSeconds: number;
}

/** Limits on the number of these mails. */
export interface ConfirmationPace {
  /** Seconds between two mails to one address, for all tenants together. */
  addressPauseSeconds: number;
  /** Number of different addresses per day that one tenant may send to. */
  addressesPerDay: number;
}

/** A channel that its reader has just confirmed or left. */
export interface AnsweredChannel extends Pick<NotificationChannel, 'channel' | 'name'> {
  tenantId: TenantId;
  divisionId: DivisionId | null;
  divisionName: string | null;
}

// Without these locks two concurrent requests could both pass the limits. The order is always tenant, then address, so that no
// deadlock occurs.
const HOLD_TENANT = statement(
  'confirmation.hold_tenant',
  `select pg_advisory_xact_lock(hashtextextended('landlord.channel_confirmations', $1::bigint))`,
);
const HOLD_ADDRESS = statement(
  'confirmation.hold_address',
  `select pg_advisory_xact_lock(hashtextextended('landlord.confirmed_address.' || encode($1::bytea, 'hex'), 0))`,
);
const WAIT = statement(
  'confirmation.wait',
  `select greatest(
     (select extract(epoch from max(created_at) + make_interval(secs => $3) - clock_timestamp())
        from channel_confirmations where address_hash = $2),
     (select case when count(*) >= $4 then extract(epoch from min(last) + interval '1 day' - clock_timestamp()) end
        from (select max(created_at) as last from channel_confirmations
               where tenant_id = $1 and address_hash <> $2 and created_at > clock_timestamp() - interval '1 day'
               group by address_hash) others),
     0)::float8 as seconds`,
);
const INSERT = statement(
  'confirmation.insert',
  `insert into channel_confirmations (tenant_id, channel_id, address_hash, token_hash, expires_at)
   values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
);
const ANSWERED = `c.tenant_id as "tenantId", c.division_id as "divisionId", c.channel, c.name,
  (select d.name from divisions d where d.id = c.division_id) as "divisionName"`;
const CONFIRM = statement(
  'confirmation.confirm',
  `update notification_channels c set confirmed_address = $2, updated_at = now()
     from tenants t where c.id = $1 and c.channel = 'email' and t.id = c.tenant_id and t.deleted_at is null
   returning ${ANSWERED}`,
);
const CONFIRMED = statement(
  'confirmation.confirmed',
  'select confirmed_address as "addressHash" from notification_channels where id = $1 for update',
);
const LEAVE = statement(
  'confirmation.leave',
  `update notification_channels c set confirmed_address = null, updated_at = now() where c.id = $1 returning ${ANSWERED}`,
);
const FORGET = statement(
  'confirmation.forget',
  `delete from channel_confirmations where id in
     (select id from channel_confirmations where expires_at < now() - interval '1 day' limit 500)`,
);

/** Mails that ask for consent to send to an address, and the reactions to them. */
@Injectable()
export class ChannelConfirmationsRepository {
  constructor(private readonly database: Database) {}

  /** Records the mail. Returns the seconds until the mail may be sent, or 0 when it may be sent now. */
  async issue(confirmation: NewConfirmation, pace: ConfirmationPace): Promise<number> {
    const { tenantId, channelId, address, tokenHash, validSeconds } = confirmation;
    const hash = addressHash(address);
    await this.database.query(HOLD_TENANT, [tenantId]);
    await this.database.query(HOLD_ADDRESS, [hash]);
    const bounds = [tenantId, hash, pace.addressPauseSeconds, pace.addressesPerDay];
    const [row] = await this.database.query<{ seconds: number }>(WAIT, bounds);
    const seconds = Math.ceil(row?.seconds ?? 0);
    if (seconds === 0) await this.database.execute(INSERT, [tenantId, channelId, hash, tokenHash, validSeconds]);
    return seconds;
  }

  /** Marks the token as used and confirms the address of its channel. Null when the token is wrong, used or expired. */
  async confirmUnscoped(tokenHash: Buffer): Promise<AnsweredChannel | null> {
    // If two requests show the same token, only one finds it unused. The other waits for the row lock and then finds it used.
    const usable = { token_hash: tokenHash, used_at: IsNull(), expires_at: inFuture() };
    const result = await this.database
      .repository(ChannelConfirmation)
      .update(usable, { used_at: () => 'now()' }, { returning: ['channel_id', 'address_hash'] });
    const [used] = result.raw as Pick<ChannelConfirmation, 'channel_id' | 'address_hash'>[];
    if (!used) return null;
    await this.voidLinksUnscoped(used.channel_id);
    return this.database.first<AnsweredChannel>(CONFIRM, [used.channel_id, used.address_hash]);
  }

  /** Hash of the confirmed address of the channel; null for none. Locks the channel. */
  async confirmedHashUnscoped(channelId: ChannelId): Promise<Buffer | null> {
    return (await this.database.first<{ addressHash: Buffer | null }>(CONFIRMED, [channelId]))?.addressHash ?? null;
  }

  /** Removes the confirmation of a channel. The caller has locked the channel. */
  async leaveUnscoped(channelId: ChannelId): Promise<AnsweredChannel | null> {
    await this.voidLinksUnscoped(channelId);
    return this.database.first<AnsweredChannel>(LEAVE, [channelId]);
  }

  /** Invalidates all mailed links of the channel. */
  async voidLinksUnscoped(channelId: ChannelId): Promise<void> {
    // After the reader has left the channel, an older link must not confirm the channel again.
    const open = { channel_id: channelId, used_at: IsNull() };
    await this.database.repository(ChannelConfirmation).update(open, { used_at: () => 'now()' });
  }

  /** Deletes some rows whose links expired a day ago. Returns the number of deleted rows. */
  async forgetUnscoped(): Promise<number> {
    return this.database.execute(FORGET);
  }
}
