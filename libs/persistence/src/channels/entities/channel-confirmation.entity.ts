import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ChannelConfirmationId, ChannelId, TenantId } from '@libs/domain';

/** A request to confirm the address of an e-mail channel. */
@Entity('channel_confirmations')
export class ChannelConfirmation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: ChannelConfirmationId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  channel_id: ChannelId;

  @Column('bytea')
  address_hash: Buffer;

  @Column('bytea')
  token_hash: Buffer;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  created_at: Date;

  @Column('timestamptz')
  expires_at: Date;

  @Column('timestamptz', { nullable: true })
  used_at: Date | null;
}
