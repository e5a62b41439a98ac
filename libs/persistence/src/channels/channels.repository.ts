import { Injectable } from '@nestjs/common';
import type { ChannelId, DivisionId, TenantId } from '@libs/domain';
import { IsNull } from 'typeorm';
import { caseless, containing, equalTo } from '../conditions.js';
import { statement, Database } from '../database.js';
import { byName, byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import type { ChannelFilter } from './channel-filter.js';
import { Secrets } from '../secrets.js';
import { CHANNEL_CELLS } from './channel-cells.js';
import { consentTo } from './confirmed-address.js';
import { NotificationChannel } from './entities/notification-channel.entity.js';

/** The owner of a channel: the tenant or a division. */
export interface ChannelOwner {
  tenantId: TenantId;
  /** Null for the tenant itself. */
  divisionId: DivisionId | null;
}

/** A channel as it appears in lists. */
export interface ChannelItem extends ChannelOwner, Pick<NotificationChannel, 'id' | 'channel' | 'name' | 'enabled'> {
  createdAt: Date;
  updatedAt: Date;
}

/** A channel with the members that lists omit. */
export interface Channel extends ChannelItem, Pick<NotificationChannel, 'destination' | 'remarks'> {
  /** Depends on the kind of channel. Null for none. */
  settings: Record<string, unknown> | null;
  /** Hash of the address that its reader has confirmed. */
  confirmedAddress: NotificationChannel['confirmed_address'];
  /** Whether the channel may send. An e-mail channel needs the consent of the reader of the address, or of a member. */
  isConfirmed: boolean;
}

export type NewChannel = Pick<Channel, 'channel' | 'name' | 'destination' | 'settings' | 'remarks'>;
export type ChannelChanges = Partial<Pick<Channel, 'name' | 'destination' | 'settings' | 'enabled' | 'remarks'>>;

type Row = Omit<Channel, 'settings' | 'isConfirmed'> & { settings: string | null };

const COLUMNS = `id, tenant_id as "tenantId", division_id as "divisionId", channel, name, enabled,
  created_at as "createdAt", updated_at as "updatedAt"`;
const DETAIL = `${COLUMNS}, destination, settings, nullif(remarks, '') as remarks, confirmed_address as "confirmedAddress"`;
const OWNED = 'tenant_id = $1 and division_id is not distinct from $2';

const LIST = paged('channel.list', {
  columns: COLUMNS,
  rows: `from notification_channels where ${OWNED} and ${equalTo('channel', 3)} and ${containing('name', 4)}
    and ($5::boolean is null or enabled = $5)`,
  id: 'id',
  keys: { name: byName('name'), created_at: byTime('created_at') },
});
const LOCK = statement(
  'channel.lock',
  `select ${DETAIL} from notification_channels where ${OWNED} and id = $3 for update`,
);
// Does not count channels of deleted divisions. The cleanup job removes them later.
const USAGE = statement(
  'channel.usage',
  `select count(*)::int as count from notification_channels c
    where c.tenant_id = $1
      and not exists (select from divisions d where d.id = c.division_id and d.deleted_at is not null)`,
);
const INSERT = statement(
  'channel.insert',
  `with made as (
     insert into notification_channels (tenant_id, division_id, channel, name, remarks) values ($1, $2, $3, $4, $5)
     returning id
   ), lane as (insert into notification_lanes (channel_id) select id from made)
   select id from made`,
);
// Deliveries that waited while the channel was off continue when it is on again.
const WAKE = statement(
  'channel.wake',
  `update notification_lanes set due_at = now(), signal_seq = signal_seq + 1, failing_since = null where channel_id = $1
   returning pg_notify('landlord_deliveries', '')`,
);
const ROTATE = statement(
  'channel.rotate',
  `update notification_channels
      set previous_secret = case when $3 > 0 then $4 end,
          previous_until = case when $3 > 0 then now() + make_interval(secs => $3) end,
          secret = $2, updated_at = now()
    where id = $1`,
);
const DISABLE = statement(
  'channel.disable',
  `update notification_channels c set enabled = false, updated_at = now()
     from tenants t join users u on u.id = t.owner_id
    where c.id = $1 and c.enabled and t.id = c.tenant_id
   returning c.tenant_id as "tenantId", c.division_id as "divisionId", c.channel, c.name, t.name as "tenantName",
     (select d.name from divisions d where d.id = c.division_id) as "divisionName", u.email as "ownerEmail"`,
);
const FORGET = statement(
  'channel.forget',
  `delete from notification_channels where id in (
     select c.id from notification_channels c
       join tenants t on t.id = c.tenant_id
       left join divisions d on d.id = c.division_id
      where t.deleted_at < now() - interval '1 day' or d.deleted_at < now() - interval '1 day'
      limit 500)`,
);

/** A channel that was just switched off, and the recipient of the mail about that. */
export interface DisabledChannel extends Pick<NotificationChannel, 'channel' | 'name'> {
  tenantId: TenantId;
  tenantName: string;
  divisionId: DivisionId | null;
  divisionName: string | null;
  ownerEmail: string;
}

/** Channels of one owner. Every statement has the owner, or an id that was read under the owner. */
@Injectable()
export class ChannelsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  async list(owner: ChannelOwner, filter: ChannelFilter, request: PageRequest): Promise<PageOf<ChannelItem>> {
    const { channel = null, name = null, enabled = null } = filter;
    const values = [owner.tenantId, owner.divisionId, channel, name, enabled];
    return readPage<ChannelItem>(this.database, LIST, values, request);
  }

  async find(owner: ChannelOwner, id: ChannelId): Promise<Channel | null> {
    const row = await this.database.repository(NotificationChannel).findOneBy({ ...ownedBy(owner), id });
    return row ? this.opened(asRow(row)) : null;
  }

  /** Reads the channel and locks it until the transaction ends. */
  async findForUpdate({ tenantId, divisionId }: ChannelOwner, id: ChannelId): Promise<Channel | null> {
    const [row] = await this.database.query<Row>(LOCK, [tenantId, divisionId, id]);
    return row ? this.opened(row) : null;
  }

  async findIdByName(owner: ChannelOwner, name: string): Promise<ChannelId | null> {
    const where = { ...ownedBy(owner), name: caseless(name) };
    const channel = await this.database.repository(NotificationChannel).findOne({ select: { id: true }, where });
    return channel?.id ?? null;
  }

  /** All channels of the tenant, including those of its divisions. */
  async count(tenantId: TenantId): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(USAGE, [tenantId]);
    return row?.count ?? 0;
  }

  /** Returns the new id. `secret` signs messages. It is null for channels that do not sign. */
  async insert({ tenantId, divisionId }: ChannelOwner, channel: NewChannel, secret: string | null): Promise<ChannelId> {
    const values = [tenantId, divisionId, channel.channel, channel.name, channel.remarks];
    const [row] = await this.database.query<{ id: ChannelId }>(INSERT, values);
    const id = row?.id ?? 0;
    // Ciphertexts are bound to the id of the row, so the row must exist first.
    const sealedSecret = secret && this.secrets.seal(CHANNEL_CELLS.secret(id), secret);
    const sealed = { ...this.sealed(id, channel), secret: sealedSecret };
    await this.database.repository(NotificationChannel).update({ tenant_id: tenantId, id }, sealed);
    return id;
  }

  /** Writes the current values. With `isWoken`, deliveries that waited while the channel was off continue. */
  async updateUnscoped(channel: Channel, { isWoken, isMoved }: { isWoken: boolean; isMoved: boolean }): Promise<void> {
    const { id, name, enabled, remarks } = channel;
    const confirmed_address = isMoved ? null : channel.confirmedAddress;
    const values = {
      name,
      ...this.sealed(id, channel),
      enabled,
      remarks,
      confirmed_address,
      updated_at: () => 'now()',
    };
    await this.database
      .repository(NotificationChannel)
      .update({ id }, isMoved ? { ...values, notice_due: false } : values);
    if (isWoken) await this.database.execute(WAKE, [id]);
  }

  /** The current signing secret, without a lock. Null for none. */
  async signingSecretUnscoped(id: ChannelId): Promise<string | null> {
    const one = { select: { secret: true }, where: { id } };
    const channel = await this.database.repository(NotificationChannel).findOne(one);
    return channel?.secret ? this.secrets.open(CHANNEL_CELLS.secret(id), channel.secret) : null;
  }

  /** Signs with `secret` from now on. The previous secret also signs for `overlapSeconds`. */
  async rotateUnscoped(id: ChannelId, secret: string, overlapSeconds: number): Promise<void> {
    const previous = await this.signingSecretUnscoped(id);
    const sealed = this.secrets.seal(CHANNEL_CELLS.secret(id), secret);
    const previousSecret = previous && this.secrets.seal(CHANNEL_CELLS.previous_secret(id), previous);
    await this.database.execute(ROTATE, [id, sealed, overlapSeconds, previousSecret]);
  }

  /** Returns null when the channel is already off. */
  async disableUnscoped(id: ChannelId): Promise<DisabledChannel | null> {
    return this.database.first<DisabledChannel>(DISABLE, [id]);
  }

  /** Also deletes its subscriptions and pending deliveries. */
  async deleteUnscoped(id: ChannelId): Promise<void> {
    await this.database.repository(NotificationChannel).delete({ id });
  }

  /**
   * Deletes channels of tenants and divisions that were deleted a day ago. The day leaves time to notify them. Returns the
   * number of deleted channels.
   */
  async forgetUnscoped(): Promise<number> {
    return this.database.execute(FORGET);
  }

  private sealed(id: ChannelId, { destination, settings }: Pick<Channel, 'destination' | 'settings'>) {
    return {
      destination: this.secrets.seal(CHANNEL_CELLS.destination(id), destination),
      settings: settings && this.secrets.seal(CHANNEL_CELLS.settings(id), JSON.stringify(settings)),
    };
  }

  private async opened(row: Row): Promise<Channel> {
    const settings = row.settings === null ? null : this.secrets.open(CHANNEL_CELLS.settings(row.id), row.settings);
    const destination = this.secrets.open(CHANNEL_CELLS.destination(row.id), row.destination);
    return {
      ...row,
      destination,
      isConfirmed: (await consentTo(this.database, { ...row, destination })) !== null,
      settings: settings === null ? null : (JSON.parse(settings) as Record<string, unknown>),
    };
  }
}

const ownedBy = ({ tenantId, divisionId }: ChannelOwner) => ({
  ...{ tenant_id: tenantId, division_id: divisionId ?? IsNull() },
});

function asRow(channel: NotificationChannel): Row {
  const { id, channel: kind, name, enabled, destination, settings, remarks } = channel;
  return {
    ...{ id, tenantId: channel.tenant_id, divisionId: channel.division_id, channel: kind, name, enabled },
    ...{
      createdAt: channel.created_at,
      updatedAt: channel.updated_at,
      destination,
      settings,
      remarks: remarks || null,
    },
    confirmedAddress: channel.confirmed_address,
  };
}
