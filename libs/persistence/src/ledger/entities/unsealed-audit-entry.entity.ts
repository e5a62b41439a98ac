import type { AuditType, RetentionClass } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An audit entry that waits for its seal. */
@Entity('audit_unsealed')
export class UnsealedAuditEntry {
  @PrimaryColumn('bigint')
  tenant_id: number;

  @PrimaryColumn('bigint')
  id: number;

  @Column('smallint')
  retention_class: RetentionClass;

  @Column('timestamptz')
  created_at: Date;

  @Column('text')
  type: AuditType;

  @Column('bigint', { nullable: true })
  division_id: number | null;
}
