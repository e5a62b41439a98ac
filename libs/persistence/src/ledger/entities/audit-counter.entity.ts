import type { AuditType, RetentionClass, DivisionId, TenantId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of audit entries of one day, type and retention. Division 0 is the whole tenant. */
@Entity('audit_counters')
export class AuditCounter {
  @PrimaryColumn('bigint')
  tenant_id: TenantId;

  @PrimaryColumn('bigint')
  division_id: DivisionId;

  @PrimaryColumn('date')
  day: string;

  @PrimaryColumn('text')
  type: AuditType;

  @PrimaryColumn('smallint')
  retention_class: RetentionClass;

  @Column('bigint')
  entries: number;
}
