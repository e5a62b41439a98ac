import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** The events that a channel receives. An empty scope does not restrict. */
@Entity('notification_subscriptions')
export class NotificationSubscription {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: number;

  @Column('bigint')
  tenant_id: number;

  @Column('bigint')
  channel_id: number;

  @Column('text', { array: true })
  message_types: string[];

  @Column('bigint', { array: true, default: '{}' })
  scope_tenant_ids: number[];

  @Column('bigint', { array: true, default: '{}' })
  scope_division_ids: number[];

  @Column('bigint', { array: true, default: '{}' })
  scope_environment_ids: number[];

  @Column('bigint', { array: true, default: '{}' })
  scope_deployment_ids: number[];

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;
}
