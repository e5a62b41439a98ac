import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { DeploymentId, DivisionId, EnvironmentId, EventId, TenantId } from '@libs/domain';

/** An event that is stored with the change that it reports. */
@Entity('outbox')
export class OutboxEvent {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: EventId;

  @Column('text')
  event_key: string;

  @Column('text')
  type: string;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint', { nullable: true })
  division_id: DivisionId | null;

  @Column('bigint', { nullable: true })
  environment_id: EnvironmentId | null;

  @Column('bigint', { nullable: true })
  deployment_id: DeploymentId | null;

  @Column('text')
  subject: string;

  @Column('jsonb', { default: {} })
  data: Record<string, unknown>;

  @Column('text')
  trace_id: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** Null until the channels have the event. */
  @Column('timestamptz', { nullable: true })
  dispatched_at: Date | null;

  @Column('uuid', { default: () => 'gen_random_uuid()' })
  message_id: string;

  @Column('text', { nullable: true })
  division_name: string | null;

  @Column('text', { nullable: true })
  environment_name: string | null;

  @Column('text', { nullable: true })
  deployment_name: string | null;
}
