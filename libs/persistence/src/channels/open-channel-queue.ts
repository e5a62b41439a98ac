import type { ChannelId } from '@libs/domain';
import type { NumberedRow } from '../statement-batcher.js';
import type { Tenant } from '../organization/entities/tenant.entity.js';
import type { Channel } from './channels.repository.js';
import type { Consent } from './confirmed-address.js';
import type { NotificationChannel } from './entities/notification-channel.entity.js';

/** The channel data that a worker needs. The worker reads it again before each batch. */
export interface OpenChannelQueue extends Pick<Channel, 'channel' | 'destination' | 'settings' | 'enabled' | 'name'> {
  tenantName: string;
  channelId: ChannelId;
  /** Null: no mail may be sent to the destination. */
  consent: Consent | null;
  /** The signing secrets. After a rotation the previous secret is included while it is valid. */
  secrets: string[];
  /** Increases with each new delivery. The worker passes it when it releases the channel queue. */
  signalSeq: number;
}

/** The row of an open channel queue. */
export interface OpenRow
  extends
    NumberedRow,
    Pick<
      NotificationChannel,
      'channel' | 'name' | 'enabled' | 'destination' | 'settings' | 'secret' | 'tenant_id' | 'confirmed_address'
    > {
  previous_secret: string | null;
  tenant_name: Tenant['name'];
  signal_seq: number;
}
