import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ChannelId, DeploymentId, DivisionId, EnvironmentId, SubscriptionId, TenantId } from '@libs/domain';

/** The events that a channel receives. An empty scope does not restrict. */
@Entity('notification_subscriptions')
export class NotificationSubscription {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: SubscriptionId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint')
  channel_id: ChannelId;

  @Column('text', { array: true })
  message_types: string[];

  @Column('bigint', { array: true, default: '{}' })
  scope_tenant_ids: TenantId[];

  @Column('bigint', { array: true, default: '{}' })
  scope_division_ids: DivisionId[];

  @Column('bigint', { array: true, default: '{}' })
  scope_environment_ids: EnvironmentId[];

  @Column('bigint', { array: true, default: '{}' })
  scope_deployment_ids: DeploymentId[];

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;
}
