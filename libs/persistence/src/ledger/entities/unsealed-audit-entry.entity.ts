import type { AuditType, RetentionClass, AuditEntryId, DivisionId, TenantId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An audit entry that waits for its seal. */
@Entity('audit_unsealed')
export class UnsealedAuditEntry {
  @PrimaryColumn('bigint')
  tenant_id: TenantId;

  @PrimaryColumn('bigint')
  id: AuditEntryId;

  @Column('smallint')
  retention_class: RetentionClass;

  @Column('timestamptz')
  created_at: Date;

  @Column('text')
  type: AuditType;

  @Column('bigint', { nullable: true })
  division_id: DivisionId | null;
}
