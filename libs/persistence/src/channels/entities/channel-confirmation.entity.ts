import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A request to confirm the address of an e-mail channel. */
@Entity('channel_confirmations')
export class ChannelConfirmation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  tenant_id: number;

  @Column('bigint')
  channel_id: number;

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
