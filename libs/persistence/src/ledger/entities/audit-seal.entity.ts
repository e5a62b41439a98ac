import type { RetentionClass, AuditEntryId, TenantId } from '@libs/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A seal over a batch of audit entries. Each seal contains the hash of the seal before it. */
@Entity('audit_seals')
export class AuditSeal {
  @PrimaryColumn('bigint')
  tenant_id: TenantId;

  @PrimaryColumn('bigint')
  sequence: number;

  @Column('smallint')
  retention_class: RetentionClass;

  /** The first day of the month. */
  @Column('date')
  month: string;

  @Column('timestamptz')
  first_at: Date;

  @Column('timestamptz')
  last_at: Date;

  @Column('bigint', { array: true })
  entry_ids: AuditEntryId[];

  /** Number of sealed entries. */
  @Column('integer')
  count: number;

  @Column('bytea')
  root_hash: Buffer;

  @Column('bytea')
  previous_hash: Buffer;

  @Column('bytea')
  hash: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  sealed_at: Date;
}
