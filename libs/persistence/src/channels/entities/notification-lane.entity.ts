import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ChannelId } from '@libs/domain';

/** The queue of a channel: when its next delivery is due, and the lease of the worker that delivers. */
@Entity('notification_lanes')
export class NotificationLane {
  @PrimaryColumn('bigint')
  channel_id: ChannelId;

  @Column('bigint', { default: 0 })
  last_sequence: number;

  @Column('bigint', { default: 0 })
  signal_seq: number;

  @Column('timestamptz', { nullable: true })
  due_at: Date | null;

  @Column('timestamptz', { nullable: true })
  leased_until: Date | null;

  @Column('bigint', { default: 0 })
  lease_token: number;

  @Column('timestamptz', { nullable: true })
  failing_since: Date | null;
}
