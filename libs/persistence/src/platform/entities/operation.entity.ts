import type {
  OperationStatus,
  OperationType,
  ApiKeyId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  IncidentId,
  OperationId,
  TenantId,
  UserId,
} from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Accepted long work and its current step. */
@Entity('operations')
export class Operation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: OperationId;

  @Column('text')
  type: OperationType;

  @Column('text')
  queue: string;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('bigint', { nullable: true })
  division_id: DivisionId | null;

  @Column('bigint', { nullable: true })
  environment_id: EnvironmentId | null;

  @Column('bigint', { nullable: true })
  deployment_id: DeploymentId | null;

  @Column('boolean')
  changing: boolean;

  @Column('text', { default: 'pending' })
  status: OperationStatus;

  @Column('text')
  step: string;

  @Column('integer', { default: 1 })
  step_seq: number;

  @Column('timestamptz', { default: () => 'now()' })
  step_entered_at: Date;

  @Column('timestamptz', { nullable: true })
  step_started_at: Date | null;

  @Column('integer', { default: 0 })
  attempt: number;

  @Column('jsonb', { default: {} })
  memo: Record<string, unknown>;

  @Column('text', { array: true, default: '{}' })
  undo: string[];

  @Column('boolean', { default: false })
  undoing: boolean;

  /** The time of the next attempt. Has no meaning after the operation has ended. */
  @Column('timestamptz', { default: () => 'now()' })
  wake_at: Date;

  @Column('timestamptz', { nullable: true })
  deadline: Date | null;

  /** The end of the lease. Null or in the past when no worker has the lease. */
  @Column('timestamptz', { nullable: true })
  lease_until: Date | null;

  @Column('bigint', { default: 0 })
  lease_token: number;

  @Column('bigint', { default: 0 })
  signal_seq: number;

  @Column('text', { nullable: true })
  last_error: string | null;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('bigint', { nullable: true })
  incident_id: IncidentId | null;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

  @Column('bigint', { nullable: true })
  api_key_id: ApiKeyId | null;

  @Column('text')
  trace_id: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { nullable: true })
  started_at: Date | null;

  @Column('timestamptz', { nullable: true })
  finished_at: Date | null;

  @Column('bigint', { default: 0 })
  event_seq: number;

  @Column('text', { nullable: true })
  skip_step: string | null;

  @Column('text', { nullable: true })
  cancel_reason: string | null;
}
