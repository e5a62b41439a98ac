import type {
  AuditType,
  RetentionClass,
  ApiKeyId,
  AuditEntryId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  TenantId,
  UserId,
} from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A change that a user, a key or an operator made in a tenant. Rows are never updated. */
@Entity('audit_entries')
export class AuditEntry {
  @PrimaryColumn('smallint')
  retention_class: RetentionClass;

  @PrimaryColumn('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @PrimaryColumn('bigint', { generated: 'identity' })
  id: AuditEntryId;

  @Column('bigint')
  tenant_id: TenantId;

  @Column('text')
  type: AuditType;

  @Column('bigint', { nullable: true })
  author_id: UserId | null;

  /** Names are stored, because the named rows can be deleted or renamed. */
  @Column('text', { nullable: true })
  author_name: string | null;

  @Column('bigint', { nullable: true })
  api_key_id: ApiKeyId | null;

  @Column('text', { nullable: true })
  api_key_name: string | null;

  @Column('bigint', { nullable: true })
  user_id: UserId | null;

  @Column('text', { nullable: true })
  user_name: string | null;

  @Column('bigint', { nullable: true })
  division_id: DivisionId | null;

  @Column('text', { nullable: true })
  division_name: string | null;

  @Column('bigint', { nullable: true })
  environment_id: EnvironmentId | null;

  @Column('text', { nullable: true })
  environment_name: string | null;

  @Column('bigint', { nullable: true })
  deployment_id: DeploymentId | null;

  @Column('text', { nullable: true })
  deployment_name: string | null;

  @Column('jsonb', { nullable: true })
  data: object | null;

  @Column('uuid', { nullable: true })
  correlation_id: string | null;
}
