import { statement, type Database } from '../database.js';
import { addressHash } from './confirmed-address.js';

/** A mail that asks the reader of an address whether a channel may send to it. Only the hash of its token is kept. */
export interface NewConfirmation {
  tenantId: number;
  channelId: number;
  address: string;
  tokenHash: Buffer;
  validSeconds: number;
}

/** How many of these mails are sent. */
export interface ConfirmationPace {
  /** To one address, whoever asks for the mails: the seconds between two of them. */
  addressPauseSeconds: number;
  /** Different addresses that one tenant may write to in a day. */
  addressesPerDay: number;
}

/** A channel that has just been confirmed, or that its reader has left. */
export interface AnsweredChannel {
  tenantId: number;
  divisionId: number | null;
  divisionName: string | null;
  channel: string;
  name: string;
}

// Two requests at once would otherwise both find room. The tenant first: always in the same order.
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
// Of two who show the same token one finds it unused: the other waits for the row, and then finds it used.
const USE = statement(
  'confirmation.use',
  `update channel_confirmations set used_at = now()
    where token_hash = $1 and used_at is null and expires_at > now()
   returning channel_id as "channelId", address_hash as "addressHash"`,
);
const ANSWERED = `c.tenant_id as "tenantId", c.division_id as "divisionId", c.channel, c.name,
  (select d.name from divisions d where d.id = c.division_id) as "divisionName"`;
const CONFIRM = statement(
  'confirmation.confirm',
  `update notification_channels c set confirmed_address = $2, updated_at = now()
     from tenants t where c.id = $1 and c.channel = 'email' and t.id = c.tenant_id and t.deleted_at is null
   returning ${ANSWERED}`,
);
// An older link to the same channel must not confirm again what its reader has left.
const USE_OTHERS = statement(
  'confirmation.use_others',
  'update channel_confirmations set used_at = now() where channel_id = $1 and used_at is null',
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

/** Mails that ask whether a channel may send to an address, and what was answered. */
export class ChannelConfirmationsRepository {
  constructor(private readonly database: Database) {}

  /** Notes the mail; answers the seconds to wait before it may be sent, 0 when it may be sent now. */
  async issue(wanted: NewConfirmation, pace: ConfirmationPace): Promise<number> {
    const { tenantId, channelId, address, tokenHash, validSeconds } = wanted;
    const hash = addressHash(address);
    await this.database.query(HOLD_TENANT, [tenantId]);
    await this.database.query(HOLD_ADDRESS, [hash]);
    const bounds = [tenantId, hash, pace.addressPauseSeconds, pace.addressesPerDay];
    const [row] = await this.database.query<{ seconds: number }>(WAIT, bounds);
    const seconds = Math.ceil(row?.seconds ?? 0);
    if (seconds === 0) await this.database.execute(INSERT, [tenantId, channelId, hash, tokenHash, validSeconds]);
    return seconds;
  }

  /** Uses the token up, and confirms its channel for its address; null when the token is wrong, used or expired. */
  async confirm(tokenHash: Buffer): Promise<AnsweredChannel | null> {
    const [used] = await this.database.query<{ channelId: number; addressHash: Buffer }>(USE, [tokenHash]);
    if (!used) return null;
    await this.voidLinks(used.channelId);
    const [row] = await this.database.query<AnsweredChannel>(CONFIRM, [used.channelId, used.addressHash]);
    return row ?? null;
  }

  /** Hash of the address that was confirmed for the channel, which is held; null when there is none. */
  async confirmedHash(channelId: number): Promise<Buffer | null> {
    const [row] = await this.database.query<{ addressHash: Buffer | null }>(CONFIRMED, [channelId]);
    return row?.addressHash ?? null;
  }

  /** Ends the confirmation of a channel that is held. */
  async leave(channelId: number): Promise<AnsweredChannel | null> {
    await this.voidLinks(channelId);
    const [row] = await this.database.query<AnsweredChannel>(LEAVE, [channelId]);
    return row ?? null;
  }

  /** No link that was mailed for the channel confirms anything any more. */
  async voidLinks(channelId: number): Promise<void> {
    await this.database.execute(USE_OTHERS, [channelId]);
  }

  /** Removes some whose links have ended a day ago; how many there were. */
  async forget(): Promise<number> {
    return this.database.execute(FORGET);
  }
}
